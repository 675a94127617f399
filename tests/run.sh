# Compiles and runs the tests. Part of build.sh.

# What a run leaves: what its JVMs printed, and what kept it from running a part.
readonly REPORTS=out/test-reports
# The trees that test_jvm runs.
TESTS=()

# compile_tests TREE...: compiles what test_jvm runs from then on.
compile_tests() {
    compile "$@"
    TESTS=("$@")
}

# All folders of a layer's tests.
layer() { (cd tests && say "$1"/*/ | sed 's|/ | |g; s|/$||'); }

# test_jvm CLASS [argument]...: a program of the tests; JVM options of the caller's may stand before the class.
test_jvm() {
    find_jdk
    as_image "$JDK/bin/java" -XX:+UseSerialGC -Xmx1g -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
        --sun-misc-unsafe-memory-access=allow -Dlvms.cache="$CACHE" -Dlvms.image="$PWD/$IMAGE" \
        -Dlvms.archive="$CLUSTER_ARCHIVE" -Dlvms.kubernetes="$KUBERNETES" -Dlvms.reports=$REPORTS \
        -Djava.util.logging.config.file=tests/logging.properties --class-path "$(class_path "${TESTS[@]}")" "$@"
}

## test       run the tests: [--full [--part N/M]] [--layer unit|integration|image|lab|conformance|e2e]...
##            [--apiserver newest|ours|VERSION [--marked]] [--lvm machine|image] [--focus REGEX] [--lanes N]
##            [--repeat N] [--load N] [--within MINUTES] [--require-all] [--without PART]...
##            [part of a class name]...; --arch A: what of the image tests starts its programs, by QEMU, and the
##            life of volumes on a machine of it; --arch A --layer unit: protoc for it writes the same sources,
##            and unit tests pass on a JVM for it, by QEMU
target_test() {
    local needs need prepared='' started=$SECONDS newest
    case "$*" in
    '--arch '*' --layer unit')
        test_on_jvm "$2"
        return
        ;;
    --arch*)
        test_architecture "${2:-}"
        return
        ;;
    esac
    compile_tests runner
    mkdir --parents $REPORTS
    newest=(-Dlvms.newest="$(kubernetes_versions | head --lines=1)")
    if server_built; then newest+=(-Dlvms.newest.built=true); fi
    needs=$(test_jvm "${newest[@]}" lvms.tests.runner.TestCommand plan "$@") || exit
    # shellcheck disable=SC2046
    compile_tests $(sed --quiet 's/^tests //p' <<<"$needs")
    prepared="classes $((SECONDS - started))"
    : >$REPORTS/obstacles
    for need in $(grep --invert-match '^tests ' <<<"$needs" | tr ' ' '='); do
        started=$SECONDS
        prepare_for "${need%%=*}" "${need#*=}"
        prepared+=", ${need%%=*} $((SECONDS - started))"
    done
    PATH=${KUBECTL:+$(dirname "$KUBECTL"):}$PATH test_jvm "${newest[@]}" -Dlvms.guest="$LAB_ARCHIVE" \
        -Dlvms.prepared="$prepared" lvms.tests.runner.TestCommand run "$@"
}

# prepare_for NEED [VERSION]: makes what tests need, or notes why this machine cannot.
prepare_for() {
    local obstacle=''
    case $1 in
    oci) obstacle=$(oci_missing) ;;
    lab) obstacle=$(lab_missing) ;;
    conformance | e2e) obstacle=$(cluster_missing) ;;
    apiserver) server_built "$2" || obstacle=$(programs_missing) ;;
    prometheus) obstacle=$(prometheus_missing) ;;
    maven) obstacle=$(maven_missing) ;;
    esac
    if [ -n "$obstacle" ]; then
        say "$1 $obstacle" >>$REPORTS/obstacles
        return
    fi
    case $1 in
    kubectl) find_kubectl ;;
    image) target_image ;;
    oci) target_oci ;;
    lab)
        lab_prepare
        lab_archive
        ;;
    conformance)
        conformance_prepare
        cluster_prepare
        ;;
    e2e)
        cluster_prepare
        e2e_prepare
        ;;
    apiserver)
        conformance_programs "$2" kube-apiserver
        conformance_programs "$(kubernetes_versions | head --lines=1)" etcd kube-controller-manager
        ;;
    prometheus) prometheus_prepare ;;
    package) # where it cannot be installed, the test says what it lacks
        (install_packages "$2") || true
        ;;
    maven)
        command -v mvn >/dev/null || install_packages maven
        target_maven
        ;;
    *) die "test: nothing is known of $1" ;;
    esac
}

# The programs of an image for another architecture do on this machine what those of this one do.
test_architecture() {
    local missing
    image_for "$1"
    oci_debian_layer debian
    link_image
    missing=$(emulation_missing)
    [ -z "$missing" ] || die "test: $missing"
    target_image
    compile_tests $(layer image) $(layer lab)
    mkdir --parents $REPORTS
    : >$REPORTS/obstacles
    test_jvm -Dlvms.patience=6 lvms.tests.runner.TestCommand run --require-all \
        --layer image lvms.tests.image.UsageTests lvms.tests.image.WorkerTests lvms.tests.image.LvmTests \
        lvms.tests.image.OperatorTests lvms.tests.image.NodeAgentTests
    test_machine
}
