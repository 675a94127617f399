#!/usr/bin/env bash
# The session of the demo: what an administrator and a user do with lvms, with kubectl, in order. It
# knows nothing of how the cluster came up.
#
#   KUBECTL   kubectl, with KUBECONFIG naming the cluster
#   ON_NODE   a command that runs another one on a node: $ON_NODE NODE COMMAND...
#   IN_POD    a command that runs another one in a pod of the namespace default: $IN_POD POD -- COMMAND...
#   NODES     the nodes that have blank disks
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
readonly DEMO=tests/demo WAIT=${WAIT:-60s} SYSTEM=lvms-system
STEPS=0
BEGAN=$(date +%s%N)

seconds_since() { awk -v ns=$(($(date +%s%N) - $1)) 'BEGIN { printf "%.1f s", ns / 1e9 }'; }

title() { printf '\n== %s\n' "$*"; }

# Runs a command, shows it with its answer and its time, and keeps the answer in ANSWER.
step() {
    local began status=0 shown
    shown=${*/#$KUBECTL/kubectl}
    began=$(date +%s%N)
    ANSWER=$("$@" 2>&1) || status=$?
    printf '$ %s\n' "$shown"
    if [ -n "$ANSWER" ]; then printf '    %s\n' "${ANSWER//$'\n'/$'\n'    }"; fi
    printf '    (%s)\n' "$(seconds_since "$began")"
    STEPS=$((STEPS + 1))
    [ $status = 0 ] || fail "status $status"
}

fail() {
    printf '\ndemo: FAILED after %s steps and %s: %s\n' "$STEPS" "$(seconds_since "$BEGAN")" "$*"
    exit 1
}

k() { step "$KUBECTL" "$@"; }

pod() {
    local name=$1
    shift
    # shellcheck disable=SC2086
    step $IN_POD "$name" -- sh -c "$*"
}

everywhere() {
    local node
    for node in $NODES; do
        # shellcheck disable=SC2086
        step $ON_NODE "$node" "$@"
    done
}

install() {
    title "Install: policies, custom resources, roles, operator"
    k apply --server-side -k deploy/guard
    k apply --server-side -k deploy
    k rollout status --namespace=$SYSTEM deployment/lvms-operator --timeout="$WAIT"
    title "An LVMCluster makes volume groups and thin pools from the nodes' free disks"
    k apply --filename=deploy/samples/lvmcluster-every-free-disk.yaml
    k wait --namespace=$SYSTEM lvmcluster/lvmcluster --for=jsonpath='{.status.state}'=Ready --timeout="$WAIT"
    k get lvmcluster,pods --namespace=$SYSTEM
    local groups='{.spec.nodeStatus[*].name}{" "}{.spec.nodeStatus[*].status}{" "}{.spec.nodeStatus[*].devices}'
    k get lvmvolumegroupnodestatus --namespace=$SYSTEM \
        --output=jsonpath='{range .items[*]}{.metadata.name}{": "}'"$groups"'{"\n"}{end}'
    everywhere lvs --options=lv_name,vg_name,lv_size,lv_attr
    k get storageclass
}

use() {
    title "A claim and its pod"
    k apply --filename=$DEMO/claim.yaml
    k wait pod/writer --for=condition=Ready --timeout="$WAIT"
    k get pvc,pod --output=wide
    k get logicalvolumes
    pod writer "dd if=/dev/urandom of=/data/file bs=1M count=64 2>/dev/null && sync && sha256sum /data/file"
    WRITTEN=$ANSWER
    pod writer "df -h /data"
    title "It grows while it is mounted"
    k patch pvc data --patch='{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}'
    k wait pvc/data --for=jsonpath='{.status.capacity.storage}'=2Gi --timeout="$WAIT"
    pod writer "df -h /data"
}

restore() {
    title "A snapshot, and a second claim from it"
    k apply --filename=$DEMO/snapshot.yaml
    k wait volumesnapshot/data-1 --for=jsonpath='{.status.readyToUse}'=true --timeout="$WAIT"
    pod writer "rm /data/file && sync"
    k apply --filename=$DEMO/restore.yaml
    k wait pod/reader --for=condition=Ready --timeout="$WAIT"
    pod reader "sha256sum /data/file"
    [ "$ANSWER" = "$WRITTEN" ] || fail "the restored file has another checksum"
    printf '    the checksums are equal\n'
    k get pvc,volumesnapshot
    everywhere lvs --options=lv_name,pool_lv,origin,lv_size,data_percent
}

remove() {
    title "Delete all of it"
    k delete pod writer reader --wait --timeout="$WAIT"
    k delete volumesnapshot data-1 --wait --timeout="$WAIT"
    k delete pvc data restored --wait --timeout="$WAIT"
    k wait logicalvolumes --all --for=delete --timeout="$WAIT"
    k wait persistentvolume --all --for=delete --timeout="$WAIT"
    k delete lvmcluster lvmcluster --namespace=$SYSTEM --wait --timeout="$WAIT"
    local node
    for node in $NODES; do
        # shellcheck disable=SC2086
        step $ON_NODE "$node" lvs --noheadings
        [ -z "$ANSWER" ] || fail "a logical volume is left"
    done
    everywhere pvs --noheadings
    local kinds=pvc,pv,volumesnapshot,volumesnapshotcontent,logicalvolumes
    k get $kinds,lvmvolumegroups,lvmvolumegroupnodestatus,storageclass --all-namespaces --output=name
    [ -z "$ANSWER" ] || fail "objects are left"
}

install
use
restore
remove
printf '\ndemo: %s steps succeeded in %s\n' "$STEPS" "$(seconds_since "$BEGAN")"
