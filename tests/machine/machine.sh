# A whole machine of another architecture by QEMU, with Debian's kernel for it, the image's layer of Debian packages and
# the linked image: what no program translated alone shows, a device-mapper. Part of build.sh.

readonly MACHINE=out/machine
# A deadline of the machine: it boots within a minute, and each story takes two to three.
readonly MACHINE_SECONDS=900

# Runs the lab's life of a thin pool and its volumes by both engines on a machine of the linked image's architecture.
test_machine() {
    local kernel line ended=0
    if [ "$ARCHITECTURE" != arm64 ] || [ "$(id --user)" != 0 ]; then
        say "machine     skipped: only one for arm64 is known, and QEMU is installed by root"
        return
    fi
    install_packages qemu-system-arm cpio kmod
    machine_kernel
    kernel=$(basename "$CACHE/machine/$ARCHITECTURE"/boot/vmlinuz-*)
    machine_archive "${kernel#vmlinuz-}"
    rm --force $MACHINE/disk?
    for line in a b; do truncate --size=1G $MACHINE/disk$line; done
    timeout $MACHINE_SECONDS qemu-system-aarch64 -machine virt -cpu cortex-a72 -m 3G -smp 2 -nographic -no-reboot \
        -net none -kernel "$CACHE/machine/$ARCHITECTURE/boot/$kernel" -initrd $MACHINE/archive \
        -append "console=ttyAMA0 rdinit=/init quiet" $(machine_disk a) $(machine_disk b) \
        </dev/null >$MACHINE/log 2>&1 || say "machine     QEMU ended with $?: see $MACHINE/log"
    while read -r line; do
        say "machine     $line"
        case $line in *': passed'*) ended=$((ended + 1)) ;; esac
    done < <(tr --delete '\r' <$MACHINE/log | sed --quiet 's/^machine: //p')
    [ $ended = 2 ] || die "test: not all that runs on the machine passed: see $MACHINE/log"
}

machine_disk() {
    say "-drive file=$MACHINE/disk$1,if=none,format=raw,id=$1,cache=unsafe -device virtio-blk-pci,drive=$1"
}

# Fetches kernel, modules and busybox once; the folder appears whole or not at all.
machine_kernel() {
    local folder=$CACHE/machine/$ARCHITECTURE new kernel
    local -x APT_ARCHITECTURE=$ARCHITECTURE
    [ ! -d "$folder" ] || return 0
    say "fetching Debian's kernel for $ARCHITECTURE into $folder"
    mkdir --parents "$CACHE/machine"
    new=$(mktemp --directory "$folder.XXXXXX")
    debian_lists trixie "$new" || die "no list of Debian's packages"
    kernel=$(private_apt "$new/apt" apt-cache show --no-all-versions "linux-image-$ARCHITECTURE" |
        sed --quiet 's/^Depends: *\([^ ,]*\).*/\1/p')
    debian_unpack "$new" "$kernel" busybox-static || die "$kernel could not be fetched"
    mv "$new" "$folder"
}

# machine_archive RELEASE: packs what the kernel unpacks as its root.
machine_archive() {
    local release=$1 from=$CACHE/machine/$ARCHITECTURE root=$MACHINE/root modules part
    modules=$root/usr/lib/modules/$release
    rm --recursive --force $root
    mkdir --parents "$modules/kernel" $root/lvms $root/opt
    cp --recursive --no-dereference "$OCI/debian/." $root
    cp --recursive --no-dereference "$IMAGE" $root/opt/lvms
    cp "$from/usr/bin/busybox" $root/usr/bin
    for part in drivers/md drivers/block drivers/virtio drivers/dax fs/ext4 fs/xfs fs/btrfs fs/jbd2 fs/mbcache.ko.xz \
        lib crypto arch; do
        mkdir --parents "$modules/kernel/$(dirname $part)"
        cp --recursive "$from/usr/lib/modules/$release/kernel/$part" "$modules/kernel/$(dirname $part)"
    done
    cp "$from/usr/lib/modules/$release"/modules.{builtin,builtin.modinfo,order} "$modules"
    depmod --basedir $root/usr "$release"
    # The lab's classes belong to the packages of the module that they test.
    mkdir --parents $root/lvms/guest/lvms
    cp --recursive out/test-classes/{runner,unit/lvms.lvm2,lab/lvms.lvm2,lab/lvms.tests}/lvms $root/lvms/guest
    cp out/deps/{junit,opentest4j,apiguardian,jspecify}*.jar $root/lvms
    install --mode=0755 tests/machine/init $root/init
    (cd $root && find . | cpio --create --format=newc --quiet) >$MACHINE/archive
    rm --recursive --force $root
}
