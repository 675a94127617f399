# Random work and random harm on a real cluster. Part of build.sh.

## chaos      random claims, pods, snapshots, growth and deletions on two real nodes, while processes are killed, power
##            fails, the API server stops, pools fill and disks vanish: [--minutes N] [--operations N]
##            [--seed N | --resume]
target_chaos() {
    local missing
    missing=$(cluster_missing)
    [ -z "$missing" ] || die "$missing"
    cluster_prepare
    compile_tests chaos
    find_kubectl
    PATH=$(dirname "$KUBECTL"):$PATH test_jvm lvms.tests.chaos.Chaos "$@"
}
