#!/bin/sh
# Makes a lab node one of Kubernetes: node.sh template | up. Runs on the node, as root.
#
# The settings are a file of shell variables in the node's share:
#   name address           of the node
#   control                address of the control plane, the way to services and to other nodes' pods
#   pods                   the subnet of the node's pods
#   modules                the kernel's modules on the machine
#   kubelet kubelet_root   the program, and its --root-dir
#   host_lvm thin_pool     0 for a host without LVM, 0 for a kernel without thin pools
#   images                 archives, for `template` alone
# shellcheck disable=SC2154
set -eu
share=/run/lab/share
# shellcheck source=/dev/null
. $share/settings
cd /

# keep NAME COMMAND...: runs a daemon, again when it ends, with its output in the share.
keep() {
    log=$share/$1.log
    shift
    # shellcheck disable=SC2016
    setsid sh -c 'log=$1; shift; while :; do "$@" >>"$log" 2>&1; sleep 0.5; done' keep "$log" "$@" \
        </dev/null >/dev/null 2>&1 &
}

# What kubelet and containerd remember outlives a power cut: data is written before the metadata that
# names it, so no file comes back empty. The machine's page cache survives the kill, so no barriers.
mount_state() {
    if mountpoint -q /var/lib/kubelet; then umount /var/lib/kubelet; fi
    mount -t ext4 -o nodelalloc,data=ordered,commit=1,barrier=0 /dev/ubdb /var/lib
    mkdir -p /var/lib/containerd /var/lib/cni "$kubelet_root"
}

start_containerd() {
    mkdir -p /etc/containerd /run/containerd
    cat >/etc/containerd/config.toml <<'END'
version = 2
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper",
    "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs"]
[plugins."io.containerd.grpc.v1.cri"]
    sandbox_image = "localhost/pause:1"
    disable_apparmor = true
    disable_hugetlb_controller = true
    tolerate_missing_hugetlb_controller = true
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
    SystemdCgroup = false
[plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "/etc/cni/net.d"
END
    for module in overlay veth bridge; do modprobe $module; done
    keep containerd containerd
    i=0
    until ctr version >/dev/null 2>&1; do
        i=$((i + 1))
        [ $i -lt 100 ] || { echo "containerd does not answer: see containerd.log"; exit 1; }
        sleep 0.1
    done
}

# The disk as every node starts with it: images are imported once, not on each node.
template() {
    mount_state
    start_containerd
    for image in $images; do
        ctr --namespace k8s.io images import "$image"
    done
    ctr --namespace k8s.io images list --quiet
    sync
}

# A kernel without thin pools, until the module is put back from $modules.
hide_thin_pool() {
    mkdir -p /run/modules/upper /run/modules/work
    mount -t overlay -o "lowerdir=$modules,upperdir=/run/modules/upper,workdir=/run/modules/work" modules \
        "/lib/modules/$(uname -r)"
    rm "/lib/modules/$(uname -r)/kernel/drivers/md/dm-thin-pool.ko"
    depmod
}

# A host whose administrator never installed LVM or device-mapper. Whoever looks at the node by the lab's
# agent finds the programs in a folder of the lab, where no product looks for the host's.
hide_lvm() {
    mkdir -p /run/lab/tools
    find /sbin/ -lname lvm -exec mv {} /run/lab/tools ';'
    mv /sbin/lvm /sbin/dmsetup /run/lab/tools
    rm -rf /etc/lvm /sbin/dmeventd /lib/*/liblvm2cmd.so*
}

# What differs in a cluster of IPv6 alone, whose lab still reaches the node by IPv4.
choose_family() {
    case $address in
    *:*)
        ip address replace "$address/64" dev vec0 nodad
        forwarding=ipv6/conf/all/forwarding services=fd00:10:96::/112 all_pods=fd00:10:244::/48 all=::/0
        dns=fd00:10:96::a
        ;;
    *)
        forwarding=ipv4/ip_forward services=10.96.0.0/12 all_pods=10.244.0.0/16 all=0.0.0.0/0
        dns=10.96.0.10
        ;;
    esac
}

# The sandbox of a node's pods: a bridge of their own, routed to the others.
set_up_network() {
    echo 1 >"/proc/sys/net/$forwarding"
    ip route replace "$services" via "$control"
    ip route replace "$all_pods" via "$control"
    mkdir -p /etc/cni/net.d
    cat >/etc/cni/net.d/10-lab.conflist <<END
{"cniVersion": "0.4.0", "name": "lab", "plugins": [
    {"type": "bridge", "bridge": "cni0", "isGateway": true, "hairpinMode": true, "ipam": {
        "type": "host-local", "ranges": [[{"subnet": "$pods"}]], "routes": [{"dst": "$all"}]}}]}
END
}

start_kubelet() {
    # kubelet refuses to start without a clock rate, which this kernel does not tell.
    sed 's/^bogomips/cpu MHz\t\t: 2000.000\n&/' /proc/cpuinfo >/run/cpuinfo
    mount --bind /run/cpuinfo /proc/cpuinfo
    modprobe loop
    # What tests kill again and again is soon there again, not after five minutes.
    # No cpuset in this kernel, so nothing is enforced on the whole node; pods have their limits.
    echo '+cpu +memory +pids' >/sys/fs/cgroup/cgroup.subtree_control
    printf '%s\n' "$name" | md5sum | cut -c 1-32 >/etc/machine-id
    cat >/run/kubelet.yaml <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: false}, webhook: {enabled: false}, x509: {clientCAFile: $share/ca.crt}}
authorization: {mode: AlwaysAllow}
tlsCertFile: $share/kubelet.crt
tlsPrivateKeyFile: $share/kubelet.key
cgroupDriver: cgroupfs
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
enforceNodeAllocatable: []
localStorageCapacityIsolation: false
resolvConf: /dev/null
clusterDNS: ["$dns"]
imageGCHighThresholdPercent: 100
featureGates: {KubeletCrashLoopBackOffMax: true}
crashLoopBackOff: {maxContainerRestartPeriod: 10s}
END
    keep kubelet "$kubelet" --config=/run/kubelet.yaml --kubeconfig=$share/kubeconfig \
        --root-dir="$kubelet_root" --hostname-override="$name" --node-ip="$address" --v=2
}

up() {
    mount_state
    # No || here: it would switch off set -e inside.
    if [ "$thin_pool" = 0 ]; then hide_thin_pool; fi
    if [ "$host_lvm" = 0 ]; then hide_lvm; fi
    choose_family
    set_up_network
    start_containerd
    start_kubelet
}

"$1"
