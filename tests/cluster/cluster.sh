# A real Kubernetes cluster: its control plane beside the lab's machines, kubelet and containerd on them.
# Part of build.sh.

readonly CLUSTER_ARCHIVE=out/lvms-$VERSION.oci.tar
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
    conformance_programs "$(kubernetes_versions | head --lines=1)" kubelet etcd snapshot-controller
    target_oci >/dev/null
    cluster_images
}
