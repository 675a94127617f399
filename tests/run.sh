# Compiles and runs the tests. Part of build.sh.

# What runs without --layer; the layer conformance needs a real cluster and is asked for by name.
readonly LAYERS="unit integration image lab"

test_class_path() {
    local module path=out/test-classes
    for module in lvms.proto $(modules); do path+=:out/classes/$module; done
    path+=:out/test-modules/lvms.k8s.testkit
    # Last, the jar of gRPC's transport as it came: ours carries no native library.
    say "$path$(printf ':%s' out/modules/*.jar)$(artifacts test tool | awk '/[.]jar / && !/all-deps/ { printf ":out/deps/%s", $1 }'):$(echo out/deps/grpc-netty-shaded-*.jar)"
}

# Compiles the API server in memory: a module as strict as the product's, but no part of the image.
compile_testkit() {
    local module=lvms.k8s.testkit stamp=out/testkit.stamp
    target_compile
    if up_to_date $stamp tests/$module out/compile.stamp; then return 0; fi
    find_jdk
    rm --recursive --force out/test-modules
    "$JDK/bin/javac" --release 25 -Xlint:all -Werror -Xdoclint:all,-missing -d out/test-modules \
        --module-source-path tests --module-path out/modules:out/classes \
        --add-modules com.google.errorprone.annotations --module $module
    (cd tests/$module && find . -type f ! -name '*.java' -exec cp --parents {} "$OLDPWD/out/test-modules/$module/" \;)
    touch $stamp
}

compile_tests() {
    local stamp=out/tests.stamp
    compile_testkit
    if up_to_date $stamp tests out/testkit.stamp; then return 0; fi
    find_jdk
    rm --recursive --force out/test-classes
    mkdir --parents out/test-classes
    # The class path sees package-private members of the code under test; module descriptors do not count there.
    # shellcheck disable=SC2046
    "$JDK/bin/javac" --release 25 -Xlint:all,-exports,-requires-automatic -Werror -d out/test-classes \
        --class-path "$(test_class_path)" $(find tests -path 'tests/lvms.*' -prune -o -name '*.java' -print)
    (cd tests && find . -path '*/resources/*' -type f -exec cp --parents {} ../out/test-classes/ \;)
    touch $stamp
}

# Prints "layer class" for each test class of the layers whose name holds one of the patterns (none: all).
test_classes() {
    local layer file class
    for layer in $1; do
        [ -d "tests/$layer" ] || continue
        find "tests/$layer" -name '*Tests.java' | sort | while read -r file; do
            class=$(sed --quiet 's/^package \(.*\);$/\1/p' "$file").$(basename "$file" .java)
            say "$layer $class"
        done
    done | grep --fixed-strings "$2" || true
}

## test       run the tests: [--full] [--layer unit|integration|image|lab|conformance] [--apiserver ours|VERSION] [--lanes N] [part of a class name]...
target_test() {
    local layers='' full=false patterns='' classes=out/test-reports/classes apiserver=ours no_server lanes=()
    while [ $# -gt 0 ]; do
        case "$1" in
        --full) full=true ;;
        --layer)
            layers=${2:?--layer needs a name: $LAYERS conformance}
            shift
            ;;
        --apiserver)
            apiserver=${2:?--apiserver needs ours or a version of Kubernetes}
            shift
            ;;
        --lanes)
            [[ ${2:-} =~ ^[1-9]$ ]] || die "test: --lanes needs how many classes of the lab run side by side, 1 to 9"
            lanes=("-Dlvms.lanes=$2")
            shift
            ;;
        -*) die "test: unknown option $1" ;;
        *) patterns+="${patterns:+$'\n'}$1" ;;
        esac
        shift
    done
    if [ "$apiserver" = ours ]; then
        layers=${layers:-$LAYERS}
    else
        [ "${layers:-integration}" = integration ] || die "test: --apiserver is for the layer integration alone"
        kubernetes_versions | grep --quiet --line-regexp --fixed-strings "$apiserver" ||
            die "test: --apiserver is ours or one of $(kubernetes_versions | paste --serial --delimiters=' '), not $apiserver"
        layers=integration no_server=$(programs_missing)
        if [ -n "$no_server" ]; then
            say "skipped: $no_server"
            say "0 passed, 0 failed, 1 skipped"
            return 0
        fi
        conformance_programs "$apiserver" kube-apiserver
        conformance_programs "$(kubernetes_versions | head --lines=1)" etcd kube-controller-manager
    fi
    compile_tests
    mkdir --parents out/test-reports
    test_classes "$layers" "$patterns" >$classes
    [ -s $classes ] || die "test: no test class matches"
    if grep --quiet --extended-regexp '^(image|lab) ' $classes; then target_image; fi
    local no_oci=''
    if grep --quiet '[.]image[.]Container' $classes; then
        no_oci=$(oci_missing)
        [ -n "$no_oci" ] || target_oci
    fi
    local no_lab=''
    if grep --quiet '^lab ' $classes; then
        no_lab=$(lab_missing)
        if [ -z "$no_lab" ]; then
            lab_prepare
            lab_archive
        fi
    fi
    local no_cluster=''
    if grep --quiet '^conformance ' $classes; then
        no_cluster=$(cluster_missing)
        if [ -z "$no_cluster" ]; then
            conformance_prepare
            cluster_prepare
        fi
    fi
    find_kubectl
    find_jdk
    PATH=$(dirname "$KUBECTL"):$PATH \
        "$JDK/bin/java" -XX:+UseSerialGC -Xmx1g -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
        --sun-misc-unsafe-memory-access=allow -Dlvms.full="$full" -Dlvms.skip.lab="$no_lab" -Dlvms.skip.oci="$no_oci" \
        -Dlvms.skip.conformance="$no_cluster" -Dlvms.archive="$CLUSTER_ARCHIVE" \
        -Dlvms.kubernetes="$KUBERNETES" -Dlvms.cache="$CACHE" -Dlvms.image="$PWD/out/image" \
        -Dlvms.guest="$LAB_ARCHIVE" -Dlvms.apiserver="$apiserver" "${lanes[@]}" \
        -Djava.util.logging.config.file=tests/logging.properties \
        --class-path "$(test_class_path)" lvms.tests.runner.Runner $classes
}
