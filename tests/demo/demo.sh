# The demo: a cluster on two nodes of the lab, and the session of session.sh in it. Part of build.sh.

KUBECTL=
# Sets KUBECTL to one that is new enough; Debian testing's is unpacked into the cache where there is none.
find_kubectl() {
    local minor
    KUBECTL=$(command -v kubectl || true)
    if [ -n "$KUBECTL" ]; then
        minor=$("$KUBECTL" version --client --output=json | sed --quiet 's/.*"minor": "\([0-9]*\).*/\1/p')
        if [ "${minor:-0}" -ge 30 ]; then return 0; fi
    fi
    KUBECTL=$CACHE/kubernetes-client/usr/bin/kubectl
    [ ! -x "$KUBECTL" ] || return 0
    say "fetching kubectl of Debian testing into $CACHE/kubernetes-client"
    mkdir --parents "$CACHE/kubernetes-client"
    debian_testing "$CACHE/kubernetes-client" kubernetes-client ||
        die "no kubectl 1.30 or newer, and none could be fetched"
}

## demo       two nodes, a cluster, and a session with kubectl in it: [--real] [--keep] leaves it up
target_demo() {
    local keep=false real=false status=0 missing
    while [ $# -gt 0 ]; do
        case "$1" in
        --keep) keep=true ;;
        --real) real=true ;;
        *) die "demo: unknown option $1" ;;
        esac
        shift
    done
    if [ $real = true ]; then
        missing=$(cluster_missing)
        [ -z "$missing" ] || die "$missing"
    fi
    find_kubectl
    export KUBECTL KUBECONFIG NODES="node1 node2"
    say "== A cluster of two nodes with two blank disks each"
    if [ $real = true ]; then demo_real; else demo_lab; fi
    if [ $keep = false ]; then trap 'demo_down >/dev/null 2>&1 || true' EXIT; fi
    # Each cluster has the addresses of the one before, whose types kubectl would remember for hours.
    export KUBECACHEDIR=${KUBECONFIG%/*}/kubectl-cache
    rm --recursive --force "$KUBECACHEDIR"
    $DEMO_CLUSTER up
    tests/demo/session.sh || status=$?
    if [ $status = 0 ] && [ $real = false ]; then demo_violations || status=1; fi
    if [ $keep = true ]; then
        printf '%s\n' "" "The cluster stays up:" "  export KUBECONFIG=$KUBECONFIG" \
            "  $KUBECTL get pods --all-namespaces" "  $ON_NODE node1 lvs" "  ./build.sh ${DEMO_CLUSTER#target_} down"
    else
        demo_down
        trap - EXIT
    fi
    [ $status = 0 ] || die "the demo failed: logs are in ${KUBECONFIG%/*}"
}

demo_down() { $DEMO_CLUSTER down; }

# The lab with stand-ins for Kubernetes, which everything needs but Go.
demo_lab() {
    lab_prepare
    DEMO_CLUSTER=target_lab
    KUBECONFIG=$PWD/out/lab/cluster/kubeconfig
    export ON_NODE="./build.sh lab run" IN_POD="./build.sh lab exec default"
}

# Kubernetes itself, and the product as its users get it.
demo_real() {
    DEMO_CLUSTER=target_cluster
    KUBECONFIG=$PWD/out/cluster/kubeconfig
    export ON_NODE="./build.sh cluster node" IN_POD="$KUBECTL exec --namespace=default"
}

# What the stand-ins for Kubernetes saw and a real cluster would have refused.
demo_violations() {
    local found
    found=$(target_lab violations)
    [ -n "$found" ] || return 0
    say "a real cluster would have refused:"$'\n'"$found"
    return 1
}
