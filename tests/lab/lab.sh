# The lab: Linux machines with disks of their own on this one. Part of build.sh.

. tests/lab/kernel.sh

readonly LAB_ARCHIVE=out/lab-archive

# What the lab needs before a JVM starts: packages and the kernel; ends in one line if it cannot be.
lab_prepare() {
    local missing
    missing=$(lab_missing)
    [ -z "$missing" ] || die "$missing"
    mkdir --parents "$CACHE"
    lab_packages || die "the lab's packages could not be installed: see $CACHE/apt.log"
    lab_kernel || die "the lab's kernel could not be fetched"
}

# Jars and AOT caches for the JVMs that tests start on nodes.
lab_archive() {
    local TESTS tree states=()
    # shellcheck disable=SC2046
    compile_tests $(layer lab)
    with_needs "${TESTS[@]}"
    for tree in "${WITH_NEEDS[@]}"; do states+=("$(state_of "$tree")"); done
    if up_to_date $LAB_ARCHIVE/stamp "${states[@]}"; then return 0; fi
    rm --recursive --force $LAB_ARCHIVE
    mkdir --parents $LAB_ARCHIVE
    test_jvm lvms.tests.lab.machine.GuestArchive $LAB_ARCHIVE
    made $LAB_ARCHIVE/stamp
}

## lab        a lab by hand: up [nodes], status, run NODE command..., cut NODE, boot NODE, down
target_lab() {
    local verb=${1:-help}
    case "$verb" in
    prepare) lab_prepare ;;
    up)
        lab_prepare
        compile_tests lab/lvms.tests
        target_image >/dev/null
        rm --force out/lab/control
        mkdir --parents out/lab
        test_jvm lvms.tests.lab.tool.LabTool serve "${@:2}" >out/lab/log 2>&1 </dev/null &
        test_jvm lvms.tests.lab.tool.LabTool await "$!"
        ;;
    status | run | exec | cut | boot | violations | down)
        TESTS=(lab/lvms.tests)
        test_jvm lvms.tests.lab.tool.LabTool "$@"
        ;;
    *)
        die "usage: ./build.sh lab prepare | up [nodes] | status | run NODE command... |" \
            "exec NAMESPACE POD command... | cut NODE | boot NODE | violations | down"
        ;;
    esac
}

# From a claim to Bound, by step, beside plain lvcreate in the same node.
bench_claims() {
    lab_prepare
    compile_tests lab/lvms.tests
    target_image >/dev/null
    test_jvm lvms.tests.lab.bench.ClaimsBenchmark
}
