#!/bin/sh
# The first program of a lab node. The root is the machine's own file system by hostfs, read-only;
# an overlay makes it writable and forgets everything at power-off. Parameters come as kernel
# arguments: lab.name, lab.address, lab.gateway, lab.modules, lab.share, lab.mounts, lab.udev,
# lab.above.
# shellcheck disable=SC2013,SC2154
PATH=/usr/sbin:/usr/bin:/sbin:/bin
export PATH

mount -t proc proc /proc
for word in $(cat /proc/cmdline); do
    case $word in
        lab.*=*) key=${word%%=*}; eval "lab_${key#lab.}=\${word#*=}" ;;
    esac
done
fail() { echo "lab: $1"; halt -f -p; }

insmod "$lab_modules/kernel/fs/overlayfs/overlay.ko" || fail "no overlay module"
mount -t tmpfs -o mode=0755 lab /mnt
mkdir /mnt/upper /mnt/work /mnt/root /mnt/above
lower=/
if [ "${lab_above:-}" != "" ]; then
    # A mount of its own, since an overlay refuses a layer that lies inside another.
    LIBMOUNT_FORCE_MOUNT2=always mount -t hostfs none /mnt/above -o "$lab_above" || fail "cannot mount $lab_above"
    lower=/mnt/above:/
fi
mount -t overlay -o "lowerdir=$lower,upperdir=/mnt/upper,workdir=/mnt/work" overlay /mnt/root || fail "no overlay root"
cd /mnt/root || fail "no overlay root"
# Pods' mounts must reach the node and back: everything is shared, as systemd has it.
mount --make-rprivate /
pivot_root . mnt || fail "no pivot"
mount --make-rshared /
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
umount -l /mnt
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs -o mode=0755 run /run
# A mount of its own, but with what the machine has there: the sources may lie below it.
mount --bind /tmp /tmp
mount --make-private /tmp
mount --make-shared /tmp
mount -t cgroup2 cgroup /sys/fs/cgroup
mkdir -p /run/lock/lvm /lib/modules /var/lib/kubelet
# A mount of its own, since pods with Bidirectional volumes share it with the node and nothing else.
mount -t tmpfs -o mode=0755 kubelet /var/lib/kubelet
ln -sfn /dev/null /etc/resolv.conf
ln -sfn /proc/mounts /etc/mtab
# Not a link: a pod that has /lib/modules of the host would not find what it names.
mkdir -p "/lib/modules/$(uname -r)"
mount --bind "$lab_modules" "/lib/modules/$(uname -r)"
# Else a mount over it would also appear over what it shows.
mount --make-private "/lib/modules/$(uname -r)"
mount --make-shared "/lib/modules/$(uname -r)"
hostname "$lab_name"
printf '127.0.0.1 localhost\n%s %s\n' "${lab_address%/*}" "$lab_name" >/etc/hosts

# lab.mounts is a list TARGET=FOLDER:TARGET=FOLDER; the share of the node is one of them.
rest=$lab_mounts:
while [ "$rest" != "" ]; do
    entry=${rest%%:*}
    rest=${rest#*:}
    [ "$entry" != "" ] || continue
    mkdir -p "${entry%%=*}"
    # By mount(2): a newer mount hands the folder to the kernel in pieces, and hostfs knows none of them.
    LIBMOUNT_FORCE_MOUNT2=always mount -t hostfs none "${entry%%=*}" -o "${entry#*=}" || fail "cannot mount $entry"
done

ip link set lo up
ip addr add "$lab_address" dev vec0
ip link set vec0 up
ip route add default via "$lab_gateway"

if [ "$lab_udev" = 1 ]; then
    /lib/systemd/systemd-udevd --daemon
    udevadm trigger
    udevadm settle
else
    # Without udev nobody answers LVM's cookies, and /etc/lvm is the machine's own.
    cat >>/etc/lvm/lvmlocal.conf <<'END'
activation { udev_sync=0 udev_rules=0 monitoring=0 }
devices { obtain_device_list_from_udev=0 external_device_info_source="none" }
END
fi
exec perl "$lab_share/agent.pl"
