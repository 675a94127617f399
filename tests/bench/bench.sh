# Benchmarks: one shell function bench_NAME each. Part of build.sh.

## bench      cluster [--mode lvms|topolvm] [--quick]: claims, pods, memory in a real cluster, or beside TopoLVM;
##            reboot [--quick]: a node with 250 volumes loses its power, until all pods are Ready again;
##            devices: memory with 64 more; claims: by step; memory: of each process; serving: metrics and webhooks;
##            lvm2 [--quick]: worker, exec and lvm; snapshots [--quick]: writes under a thick snapshot;
##            scale [--all] [--sizes N,N]: operator and agent with many volumes in a real API server;
##            k8s [--quick] [--objects N]: our informer beside fabric8's and client-go's;
##            fleet [--agents N] [--volumes N] | --idle N: a hundred nodes, a thousand agents, without machines
target_bench() {
    local name="${1:-}"
    [ $# -eq 0 ] || shift
    declare -F "bench_$name" >/dev/null ||
        die "bench: no benchmark named '$name', there are:$(declare -F |
            sed --quiet 's/^declare -f bench_/ /p' | tr --delete '\n')"
    "bench_$name" "$@"
}

# [--runs N] [--settle SECONDS] [--volumes N,N] [JVM options]: see docs/performance.md.
bench_memory() {
    target_image
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx512m --class-path "$(test_class_path)" \
        lvms.tests.bench.MemoryBench "$IMAGE" "$@"
}

# [--runs N] [--settle SECONDS] [--volumes N,N] [JVM options]: what metrics and webhooks cost; or --apiserver VERSION:
# a write through the webhook beside a plain one in a real kube-apiserver. See docs/performance.md.
bench_serving() {
    if [ "${1:-}" = --apiserver ]; then
        bench_admission "${2:?bench serving: --apiserver needs a version, such as $KUBERNETES}"
        return
    fi
    target_image
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx512m --class-path "$(test_class_path)" \
        lvms.tests.bench.ServingBench "$IMAGE" "$@"
}

# VERSION
bench_admission() {
    prepare_api_server "$1"
    compile_tests
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx512m -Dlvms.cache="$CACHE" -Dlvms.kubernetes="$KUBERNETES" \
        -Djava.util.logging.config.file=tests/logging.properties --class-path "$(test_class_path)" \
        lvms.tests.bench.AdmissionBench "$1"
}

prepare_api_server() {
    local missing
    missing=$(programs_missing)
    [ -z "$missing" ] || die "$missing"
    conformance_programs "$1" kube-apiserver
    conformance_programs "$(kubernetes_versions | head --lines=1)" etcd
}

# [--all] [--sizes N,N] [--settle SECONDS] [--deadline SECONDS] [--plot FILE] [JVM options]: operator and node agent
# with many volumes; see docs/performance.md.
bench_scale() {
    prepare_api_server "$(kubernetes_versions | head --lines=1)"
    target_image
    find_jdk
    rm --recursive --force out/bench/scale
    mkdir --parents out/bench/scale
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx1g -Dlvms.cache="$CACHE" \
        -Djava.util.logging.config.file=tests/logging.properties --class-path "$(test_class_path)" \
        lvms.tests.bench.scale.ScaleBench "$IMAGE" "$@"
}

# [--mode lvms|topolvm] [--quick]: claims, pods, memory and requests in a real cluster, or claims and pods beside those
# of TopoLVM itself; see docs/performance.md.
bench_cluster() {
    prepare_bench_in_a_cluster
    case " $* " in *" --mode topolvm "*)
        conformance_programs "$(kubernetes_versions | head --lines=1)" helm
        target_chart
        ;;
    esac
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.bench.cluster.ClusterBench "$@"
}

# [--quick]: how long the pods of a node that lost its power take, without volumes and with five each; see
# docs/performance.md.
bench_reboot() {
    prepare_bench_in_a_cluster
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.bench.cluster.RebootBench "$@"
}

# What block devices, and what users of NativeStor have, cost in memory; see docs/performance.md.
bench_devices() {
    prepare_bench_in_a_cluster
    install_packages fdisk # a node's root is this machine's
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.bench.cluster.DeviceBench
}

# [--agents N] [--volumes N], or --idle N [--window SECONDS]; [--processes N] [--creation MS] [--removal MS]
# [--report MS]: many node agents over LVMs in memory, in a real control plane; see docs/performance.md.
bench_fleet() {
    local missing
    missing=$(programs_missing)
    [ -z "$missing" ] || die "$missing"
    KUBERNETES=$(kubernetes_versions | head --lines=1)
    conformance_programs "$KUBERNETES" etcd kube-apiserver kube-controller-manager kube-scheduler
    target_image
    compile_tests
    find_kubectl
    rm --recursive --force out/bench/fleet
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.bench.fleet.FleetBench "$IMAGE" "$@"
}

prepare_bench_in_a_cluster() {
    local missing
    missing=$(cluster_missing)
    [ -z "$missing" ] || die "$missing"
    cluster_prepare
    compile_tests
    find_kubectl
}

# [--quick] [--machine]: the library by worker and by exec beside the lvm program; see docs/performance.md.
bench_lvm2() {
    case " $* " in *" --machine "*) ;; *) lab_prepare ;; esac
    compile_tests
    test_jvm -Xmx512m lvms.lvm2.command.LvmBenchmark "$@"
}

# [--quick]: writes to a thick volume under a snapshot, beside the same without one; see docs/performance.md.
bench_snapshots() {
    lab_prepare
    compile_tests
    test_jvm -Xmx512m lvms.lvm2.command.SnapshotBenchmark "$@"
}

# The peer that `bench k8s` fetches; client-go is pinned by tests/bench/go/informer/go.mod. No part of the product
# depends on either, so build/artifacts.tsv has neither.
readonly FABRIC8=8.0.0
readonly K8S_BENCH=out/bench/k8s

# [--quick] [--objects N]: our informer beside those of fabric8 and client-go; see docs/performance.md.
bench_k8s() {
    target_jars
    compile_tests
    bench_k8s_lvms
    bench_k8s_fabric8
    bench_k8s_client_go
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx256m --class-path "$(test_class_path)" lvms.tests.bench.k8s.ClientBench "$@"
}

# Our client: jars alone, since an AOT cache takes no folders.
bench_k8s_lvms() {
    rm --recursive --force $K8S_BENCH/lvms
    mkdir --parents $K8S_BENCH/lvms
    find_jdk
    "$JDK/bin/jar" --create --file $K8S_BENCH/lvms/bench.jar -C out/test-classes lvms/tests/bench/k8s/client
    cp out/jars/lvms.k8s.jar $K8S_BENCH/lvms
    cp out/modules/gson-*.jar $K8S_BENCH/lvms
}

bench_k8s_fabric8() {
    local sources=tests/bench/fabric8 jars=$K8S_BENCH/fabric8 pom=$K8S_BENCH/pom.xml
    find_jdk
    if [ ! -e "$jars/kubernetes-client-$FABRIC8.jar" ]; then
        command -v mvn >/dev/null || install_packages maven
        say "fetching fabric8 $FABRIC8"
        {
            say '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
            say '<groupId>lvms</groupId><artifactId>bench</artifactId><version>1</version><dependencies><dependency>'
            say "<groupId>io.fabric8</groupId><artifactId>kubernetes-client</artifactId><version>$FABRIC8</version>"
            say '</dependency></dependencies></project>'
        } >$pom
        rm --recursive --force $jars
        JAVA_HOME=$JDK mvn --batch-mode --quiet --file $pom \
            org.apache.maven.plugins:maven-dependency-plugin:3.7.0:copy-dependencies -DincludeScope=runtime \
            -DoutputDirectory="$PWD/$jars" >$K8S_BENCH/maven.log 2>&1 ||
            die "Maven could not fetch fabric8: see $K8S_BENCH/maven.log"
    fi
    rm --recursive --force $K8S_BENCH/fabric8-client
    # shellcheck disable=SC2046
    "$JDK/bin/javac" --release 25 -Werror -d $K8S_BENCH/fabric8-client --class-path "out/test-classes:$jars/*" \
        $(find $sources -name '*.java')
    # Of ours, it sees what it says of itself alone.
    (cd out/test-classes && cp --parents lvms/tests/bench/k8s/client/Session.class "$OLDPWD/$K8S_BENCH/fabric8-client")
}

bench_k8s_client_go() {
    command -v go >/dev/null || die "client-go is built by Go, and there is none here: install go"
    (cd tests/bench/go/informer && CGO_ENABLED=0 GOWORK=off \
        go build -mod=readonly -trimpath -buildvcs=false -ldflags '-s -w' -o "$OLDPWD/$K8S_BENCH/informer" .)
}
