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

# The QEMU that runs on this machine.
qemu_lock() { say "build/oci/qemu-$(machine_architecture).lock"; }

# Prints in one line why programs of the linked image do not run on this machine; nothing if they do.
emulation_missing() {
    if as_image true 2>/dev/null; then return 0; fi
    if is_emulated; then
        say "QEMU cannot be registered here: that needs user namespaces with a binfmt_misc of their own, Linux 6.7"
    else
        say "this machine's C library is older than the image's, and there are no user namespaces with overlays"
    fi
}

# as_image COMMAND...: runs a command that may start programs of the linked image. Those of another architecture run by
# QEMU, which finds what they need in the image's layer of Debian's packages; where those of this one need a newer C
# library, the command runs with that of the layer. Both are so in a namespace of the command's own.
as_image() {
    local qemu=none
    if [ -z "$JMODS" ] || { ! is_emulated && "$IMAGE/bin/java" -version >/dev/null 2>&1; }; then
        "$@"
        return
    fi
    if is_emulated; then
        [ -e "$(qemu_lock)" ] || return 1
        pinned_folder qemu "$(machine_architecture)"
        qemu=$PINNED/usr/bin
    fi
    unshare --user --map-root-user --mount bash build/emulate.sh "$ARCHITECTURE" "$qemu" "$PWD/$OCI/debian" "$@"
}
