# Benchmarks: one shell function bench_NAME each. Part of build.sh.

## bench      cluster [--mode lvms|topolvm] [--quick]: claims, pods, memory in a real cluster, or beside TopoLVM;
##            devices: memory with 64 more; claims: by step; memory: of each process; serving: metrics and webhooks;
##            lvm2 [--quick]: worker, exec and lvm; snapshots [--quick]: writes under a thick snapshot
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
    local missing
    missing=$(programs_missing)
    [ -z "$missing" ] || die "$missing"
    conformance_programs "$1" kube-apiserver
    conformance_programs "$(kubernetes_versions | head --lines=1)" etcd
    compile_tests
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx512m -Dlvms.cache="$CACHE" -Dlvms.kubernetes="$KUBERNETES" \
        -Djava.util.logging.config.file=tests/logging.properties --class-path "$(test_class_path)" \
        lvms.tests.bench.AdmissionBench "$1"
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

# What block devices, and what users of NativeStor have, cost in memory; see docs/performance.md.
bench_devices() {
    prepare_bench_in_a_cluster
    install_packages fdisk # a node's root is this machine's
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.bench.cluster.DeviceBench
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
