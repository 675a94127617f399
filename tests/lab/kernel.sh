# Fetches what a lab needs from outside: Debian packages and the kernel. Part of build.sh.
#
# The kernel is Debian testing's user-mode-linux, since older ones panic on CPUs with AMX; it needs a
# newer libc than Debian 12 has, so both are unpacked beside the installed system, never into it.

readonly LAB_KERNEL=$CACHE/uml

# Prints in one line what keeps this machine from running a lab; nothing if it can.
lab_missing() {
    if [ "$(uname --kernel-name)" != Linux ]; then
        say "the lab needs Linux"
    elif [ "$(uname --machine)" != x86_64 ]; then
        say "the lab needs an x86_64 machine: User-Mode Linux has no other port"
    elif [ "$(id --user)" != 0 ]; then
        say "the lab needs root: it makes a network namespace, tap devices and a bridge"
    elif [ ! -c /dev/net/tun ]; then
        say "the lab needs /dev/net/tun"
    elif ! command -v apt-get >/dev/null; then
        say "the lab needs apt: its kernel is a Debian package"
    fi
}

# Installs the Debian packages that a node uses from its root, which is this machine's own.
lab_packages() {
    install_packages lvm2 thin-provisioning-tools xfsprogs btrfs-progs kmod patchelf iproute2 e2fsprogs \
        util-linux udev secilc
}

# Unpacks packages of Debian testing into a folder: debian_testing FOLDER PACKAGE...
debian_testing() { debian_lists testing "$1" && debian_unpack "$@"; }

# debian_lists SUITE FOLDER: has a private apt in a folder's apt know the newest packages of a suite of Debian.
debian_lists() {
    local apt=$2/apt
    mkdir --parents "$apt"
    debian_sources "$1" >"$apt/sources.list" || return
    logged "$apt/log" private_apt "$apt" apt-get update
}

# debian_unpack FOLDER PACKAGE...: unpacks packages of those lists into the folder, and forgets the lists.
debian_unpack() {
    local folder=$1 apt=$1/apt archive
    shift
    (cd "$apt/archives" && logged "$apt/log" private_apt "$apt" apt-get download "$@") || return
    for archive in "$apt/archives"/*.deb; do
        dpkg-deb --extract "$archive" "$folder"
    done
    rm --recursive --force "$apt"
}

# logged LOG COMMAND...: shows the end of what a command said if it fails.
logged() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 && return
    tail --lines=5 "$log" >&2
    return 1
}

# Fetches the kernel once; the folder appears whole or not at all.
lab_kernel() {
    [ ! -e "$LAB_KERNEL/ready" ] || return 0
    local folder libraries=usr/lib/x86_64-linux-gnu
    mkdir --parents "$CACHE"
    folder=$(mktemp --directory "$CACHE/uml.XXXXXX")
    say "fetching User-Mode Linux of Debian testing into $LAB_KERNEL"
    debian_testing "$folder" user-mode-linux libc6 || return 1
    cp "$folder/usr/bin/linux.uml" "$folder/linux"
    # The interpreter is an absolute path, so it has to name the folder's final place.
    patchelf --set-interpreter "$LAB_KERNEL/$libraries/ld-linux-x86-64.so.2" \
        --set-rpath "$LAB_KERNEL/$libraries" "$folder/linux"
    basename "$folder"/usr/lib/uml/modules/* >"$folder/ready"
    rm --recursive --force "$LAB_KERNEL"
    mv "$folder" "$LAB_KERNEL"
}
