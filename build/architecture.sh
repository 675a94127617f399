# Images of another architecture, or of a JDK that is the same everywhere: what they are linked of, and how their
# programs run on this machine. Part of build.sh.

# As Debian and OCI name them.
readonly ARCHITECTURES="amd64 arm64"
# That of the image: this machine's, unless --arch names one, which then is in the names of what is built.
ARCHITECTURE=
SUFFIX=
# The folder of JDK modules that the image is linked of; empty: those of the JDK on this machine.
JMODS=

# Prints this machine's architecture as Debian names it.
machine_architecture() {
    uname --machine | sed 's/^x86_64$/amd64/; s/^aarch64$/arm64/; s/^ppc64le$/ppc64el/'
}

# Prints the architecture of the image as Debian names it.
debian_architecture() { say "${ARCHITECTURE:-$(machine_architecture)}"; }

# Whether the programs of the image are not this machine's.
is_emulated() { [ "$(debian_architecture)" != "$(machine_architecture)" ]; }

# image_for ARCHITECTURE: what is built from here on is for it, linked of the JDK that is pinned for all.
image_for() {
    case " $ARCHITECTURES " in
    *" $1 "*) ;;
    *) die "there are images for ${ARCHITECTURES// / and }, not for $1" ;;
    esac
    ARCHITECTURE=$1
    SUFFIX=-$1
    IMAGE=out/image-$1
    OCI=out/oci-$1
    pinned_folder jdk "$1"
    JMODS=$(echo "$PINNED"/usr/lib/jvm/*/jmods)
}

# pinned_folder NAME ARCHITECTURE: sets PINNED to the folder of the download cache with what build/oci/NAME-contents
# keeps of the packages that are pinned for the architecture. It appears whole or not at all.
pinned_folder() {
    local name=$1 lock=build/oci/$1-$2.lock new
    PINNED=$CACHE/$name/$(awk '!/^#/ { sub(/.*:/, "", $2); print $2; exit }' "$lock")_$2
    [ ! -d "$PINNED" ] || return 0
    mkdir --parents "$CACHE/$name"
    new=$(mktemp --directory "$PINNED.XXXXXX")
    debian_packages lock="$lock" contents="build/oci/$name-contents" root="$new"
    mv "$new" "$PINNED"
}

# Prints in one line why programs of the image do not run on this machine; nothing if they do, perhaps emulated.
emulation_missing() {
    is_emulated || return 0
    if [ ! -e "build/oci/qemu-$(machine_architecture).lock" ]; then
        say "no QEMU is pinned for this machine"
    elif ! as_image true 2>/dev/null; then
        say "this machine does not let us register QEMU: that needs user namespaces with a binfmt_misc, Linux 6.7"
    fi
}

# as_image COMMAND...: runs a command that may start programs of the image's architecture. QEMU is registered for them
# in a namespace of the command's own, and finds what they need in the image's layer of Debian's packages.
as_image() {
    if ! is_emulated; then
        "$@"
        return
    fi
    pinned_folder qemu "$(machine_architecture)"
    QEMU_LD_PREFIX=$PWD/$OCI/debian unshare --user --map-root-user --mount \
        bash build/emulate.sh "$ARCHITECTURE" "$PINNED/usr/bin" "$@"
}
