# A real Kubernetes cluster: its control plane beside the lab's machines, kubelet and containerd on them.
# Part of build.sh.

# LVMS_AOT=no: the image without AOT caches, which is sooner there and starts later.
case "${LVMS_AOT:-yes}" in
no) readonly CLUSTER_ARCHIVE=out/lvms-$VERSION-no-aot.oci.tar ;;
*) readonly CLUSTER_ARCHIVE=out/lvms-$VERSION.oci.tar ;;
esac
# The version of the control plane: the newest there is, unless an option names another.
KUBERNETES=

# Prints in one line what keeps this machine from running a cluster; nothing if it can.
cluster_missing() { conformance_missing; }

# What a cluster needs before a JVM starts; ends in one line if it cannot be.
cluster_prepare() {
    KUBERNETES=${KUBERNETES:-$(kubernetes_versions | head --lines=1)}
    lab_prepare
    install_packages containerd runc containernetworking-plugins busybox-static
    conformance_programs "$KUBERNETES" kube-apiserver kube-controller-manager kube-scheduler
    conformance_programs "$(kubernetes_versions | head --lines=1)" kubelet etcd snapshot-controller csi-sanity
    target_oci >/dev/null
    cluster_images
}

# The images of the tests' pods and of the sandbox: busybox alone, in the form of `docker save`.
cluster_images() {
    local folder=out/cluster-images
    if up_to_date $folder/stamp tests/cluster/cluster.sh /bin/busybox; then return 0; fi
    rm --recursive --force $folder
    mkdir --parents $folder/root/tmp
    cluster_busybox $folder/root/bin
    cluster_tar $folder/root $folder/layer.tar .
    cluster_image $folder pause localhost/pause:1 '"Cmd": ["sleep", "2147483647"]'
    cluster_image $folder test localhost/test:1 '"Cmd": ["sh"]'
    rm --recursive $folder/root
    made $folder/stamp
}

# cluster_busybox FOLDER: busybox with a link for each of its programs.
cluster_busybox() {
    local applet
    mkdir --parents "$1"
    cp /bin/busybox "$1"
    for applet in $(/bin/busybox --list); do
        [ "$applet" = busybox ] || ln --symbolic busybox "$1/$applet"
    done
}

# cluster_image FOLDER FILE NAME CONFIG: FILE.tar in the folder is the image of that name with the folder's one layer.
cluster_image() {
    local folder=$1 layer
    layer=$(sha256sum "$folder/layer.tar" | cut --delimiter=' ' --fields=1)
    say '{"architecture": "'"$(oci_architecture)"'", "os": "linux", "config": {'"$4"', "Env": ["PATH=/bin"]},' \
        '"rootfs": {"type": "layers", "diff_ids": ["sha256:'"$layer"'"]}}' >"$folder/config.json"
    say '[{"Config": "config.json", "RepoTags": ["'"$3"'"], "Layers": ["layer.tar"]}]' >"$folder/manifest.json"
    cluster_tar "$folder" "$folder/$2.tar" manifest.json config.json layer.tar
}

# cluster_tar FOLDER ARCHIVE FILE...: the same bytes from the same files.
cluster_tar() {
    local folder=$1 archive=$2
    shift 2
    tar --create --file "$archive" --directory "$folder" --sort=name --owner=0 --group=0 --numeric-owner \
        --mtime="$JAR_DATE" "$@"
}

## cluster    a real Kubernetes: up [--nodes N] [--kubernetes V], kubectl, node N COMMAND..., power-cut N, boot N,
##            load, status, down
target_cluster() {
    local verb=${1:-help}
    [ $# -eq 0 ] || shift
    case "$verb" in
    up) cluster_up "$@" ;;
    kubectl)
        find_kubectl
        KUBECONFIG=$PWD/out/cluster/kubeconfig KUBECACHEDIR=$PWD/out/cluster/kubectl-cache "$KUBECTL" "$@"
        ;;
    node) cluster_tool run 600000 "$(cluster_node "${1:-}")" "${@:2}" ;;
    power-cut | boot) cluster_tool "$verb" "$(cluster_node "${1:-}")" ;;
    load) cluster_load ;;
    status | down) cluster_tool "$verb" ;;
    *)
        die "usage: ./build.sh cluster up [--nodes N] [--kubernetes V] | kubectl ARGUMENT... | node N COMMAND... |" \
            "power-cut N | boot N | load | status | down"
        ;;
    esac
}

# A node may be named by its number.
cluster_node() {
    case "$1" in
    '') die "cluster: which node?" ;;
    *[!0-9]*) say "$1" ;;
    *) say "node$1" ;;
    esac
}

cluster_tool() {
    local TESTS=(cluster)
    test_jvm lvms.tests.cluster.ClusterTool "$@"
}

# Gives the nodes of a running cluster the image of the present sources; pods get it when they start again.
cluster_load() {
    local node
    target_oci
    for node in $(cluster_tool nodes); do
        # A node goes on seeing a file of this machine that was replaced until it forgets the name.
        cluster_tool run 60000 "$node" sh -c 'echo 2 >/proc/sys/vm/drop_caches'
        cluster_tool run 600000 "$node" ctr --namespace k8s.io images import "$PWD/$CLUSTER_ARCHIVE"
    done
}

cluster_up() {
    local nodes=2 missing
    while [ $# -gt 0 ]; do
        case "$1" in
        --nodes) nodes=${2:?--nodes needs a number} ;;
        --kubernetes) KUBERNETES=${2:?--kubernetes needs a version} ;;
        *) die "cluster up: unknown option $1" ;;
        esac
        shift 2
    done
    missing=$(cluster_missing)
    [ -z "$missing" ] || die "$missing"
    cluster_prepare
    compile_tests cluster
    rm --force out/cluster/control
    rm --recursive --force out/cluster/kubectl-cache # another cluster at the same address has other kinds
    mkdir --parents out/cluster
    ln --symbolic --force state/kubeconfig out/cluster/kubeconfig
    cluster_tool serve "$nodes" >out/cluster/log 2>&1 </dev/null &
    cluster_tool await "$!"
}
