# Benchmarks: one shell function bench_NAME each. Part of build.sh.

## bench      claims: from a claim to Bound, beside plain lvcreate; memory: start and idle memory of each process
target_bench() {
    local name="${1:-}"
    [ $# -eq 0 ] || shift
    declare -F "bench_$name" >/dev/null ||
        die "bench: no benchmark named '$name', there are:$(declare -F | sed --quiet 's/^declare -f bench_/ /p' | tr --delete '\n')"
    "bench_$name" "$@"
}

# [--runs N] [--settle SECONDS] [--volumes N,N] [JVM options]: see docs/performance.md.
bench_memory() {
    target_image
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx512m --class-path "$(test_class_path)" \
        lvms.tests.bench.MemoryBench "$IMAGE" "$@"
}
