# Benchmarks: one shell function bench_NAME each. Part of build.sh.

## bench      cluster [--quick]: claims, pods, memory in a real cluster; claims: by step;
##            memory: of each process; serving: metrics and webhooks; lvm2 [--quick]: worker, exec and lvm
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

# [--runs N] [--settle SECONDS] [--volumes N,N] [JVM options]: what metrics and webhooks cost; see docs/performance.md.
bench_serving() {
    target_image
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx512m --class-path "$(test_class_path)" \
        lvms.tests.bench.ServingBench "$IMAGE" "$@"
}

# [--quick]: claims, pods, memory and requests in a real cluster; see docs/performance.md.
bench_cluster() {
    local missing
    missing=$(cluster_missing)
    [ -z "$missing" ] || die "$missing"
    cluster_prepare
    compile_tests
    find_kubectl
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.bench.cluster.ClusterBench "$@"
}

# [--quick] [--machine]: the library by worker and by exec beside the lvm program; see docs/performance.md.
bench_lvm2() {
    case " $* " in *" --machine "*) ;; *) lab_prepare ;; esac
    compile_tests
    test_jvm -Xmx512m lvms.lvm2.command.LvmBenchmark "$@"
}
