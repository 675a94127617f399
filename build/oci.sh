# Packs the container image: an OCI image layout that old docker can load too, made by tar and gzip alone.
# Part of build.sh.

OCI=out/oci
readonly OCI_REFERENCE=localhost/lvms:$VERSION
# The same image with a shell and tar, which oc adm must-gather calls in the image that it is given.
readonly OCI_GATHER=lvms-must-gather
readonly OCI_SUITES="trixie trixie-security"
# Whose packages are pinned: layers, the JDK that images are linked of, and what starts their programs elsewhere.
readonly OCI_PINNED="debian gather jdk qemu"

# Prints in one line what keeps this machine from packing the container image; nothing if it can.
oci_missing() {
    [ -e "$(oci_lock debian)" ] || say "there are images for ${ARCHITECTURES// / and }: --arch names another than this"
}

## oci        pack the container images out/lvms-<version>.oci.tar and out/lvms-must-gather-<version>.oci.tar;
##            --arch amd64|arm64: with that behind the version, linked of the JDK that is pinned for both;
##            --no-aot: the reproducible one; --update: new pins
target_oci() {
    local aot=yes
    if [ "${LVMS_AOT:-yes}" = no ]; then aot=no; fi
    while [ $# -gt 0 ]; do
        case "$1" in
        --no-aot) aot=no ;;
        --arch)
            image_for "${2:?--arch needs one of $ARCHITECTURES}"
            shift
            ;;
        --update)
            oci_update
            return
            ;;
        *) die "oci: unknown option $1" ;;
        esac
        shift
    done
    [ -z "$(oci_missing)" ] || die "$(oci_missing)"
    oci_debian_layer debian
    oci_debian_layer gather
    if [ $aot = yes ]; then target_image; else link_image; fi
    oci_runtime_layer
    local layers=(debian runtime) archive=out/lvms-$VERSION$SUFFIX-no-aot.oci.tar
    if [ $aot = yes ]; then
        archive=out/lvms-$VERSION$SUFFIX.oci.tar
        if [ -e "$IMAGE.trained" ]; then
            oci_aot_layer
            layers+=(aot)
        fi
    fi
    oci_archive "$archive" "$OCI_REFERENCE" "${layers[@]}"
    oci_print "$archive" "$OCI_REFERENCE" "${layers[@]}"
    oci_archive "out/$OCI_GATHER-$VERSION$SUFFIX.oci.tar" "localhost/$OCI_GATHER:$VERSION" debian gather runtime
}

# The name of the lock file of a layer: packages differ between architectures.
oci_lock() { say "build/oci/$1-$(debian_architecture).lock"; }

# The bill of materials of an image, beside its archive.
oci_bill() { say "out/$1-$VERSION$SUFFIX.cdx.json"; }

# Lists the packages of a layer.
oci_packages() { awk '!/^(#|$)/ { print $1 }' "build/oci/$1-contents"; }

oci_update() {
    local architecture layer pins
    for architecture in $ARCHITECTURES; do
        pins=$(oci_newest "$architecture") || exit
        for layer in $OCI_PINNED; do oci_pin "$layer" "build/oci/$layer-$architecture.lock" "$pins"; done
    done
}

# oci_newest ARCHITECTURE: prints the pins of all packages as they would be today.
oci_newest() {
    local layer
    if [ ! -x /usr/bin/apt-get ] || [ ! -e "$DEBIAN_KEYS" ]; then
        die "Debian's apt tells what is newest, and checks the archive's signature: run this on Debian, as anybody"
    fi
    # shellcheck disable=SC2046
    APT_ARCHITECTURE=$1 debian_pins "$OCI_SUITES" $(for layer in $OCI_PINNED; do oci_packages "$layer"; done) ||
        die "apt could not tell the packages' versions"
}

# oci_pin LAYER LOCK PINS: writes those of the pins that belong to the layer.
oci_pin() {
    local layer=$1 lock=$2 pins
    pins=$(awk 'NR == FNR { packages[$1]; next } $1 in packages' <(oci_packages "$layer") <(say "$3"))
    if [ -e "$lock" ] && cmp --quiet <(grep --invert-match '^#' "$lock") <(say "$pins"); then
        say "$lock: nothing is newer"
        return
    fi
    {
        say "# Pinned packages of Debian. ./build.sh oci --update renews them; what a mirror no longer has is fetched"
        say "# from the snapshot of this time. Columns: package version sha256 archive/path"
        say "# snapshot $(date --utc +%Y%m%dT%H%M%SZ)"
        say "$pins"
    } >"$lock.new"
    mv "$lock.new" "$lock"
    say "$lock: $(wc --lines <<<"$pins") packages"
}

# Prints the architecture as OCI names it.
oci_architecture() { debian_architecture | sed 's/ppc64el/ppc64le/'; }

# A layer of Debian packages. Needs no root: owners are written into the tar, setuid bits are not.
oci_debian_layer() {
    local layer=$1 stamp=$OCI/$1.stamp root=$OCI/$1
    if up_to_date "$stamp" build/oci build/oci.sh build/debian; then return 0; fi
    rm --recursive --force "$root"
    oci_root_folders "$root"
    debian_packages lock="$(oci_lock "$layer")" contents="build/oci/$layer-contents" root="$root"
    if [ "$layer" = debian ]; then cp build/oci/etc/* "$root/etc"; fi
    # Debian makes this link when mawk is installed.
    if [ -e "$root/usr/bin/mawk" ]; then ln --symbolic mawk "$root/usr/bin/awk"; fi
    chmod --recursive u=rwX,go=rX "$root"
    chmod 1777 "$root/tmp"
    oci_layer "$layer"
    made "$stamp"
}

# What container runtimes and programs expect, with the links of Debian's merged /usr.
oci_root_folders() {
    local root=$1 folder
    mkdir --parents "$root"/{dev,etc,mnt,proc,root,run/lock,sys,tmp,usr/{bin,sbin,lib,lib64},var/lib/dpkg/status.d}
    for folder in bin sbin lib lib64; do ln --symbolic "usr/$folder" "$root/$folder"; done
    ln --symbolic ../run "$root/var/run"
}

# The layer of the runtime image, without its caches, and with the bill of materials of all but the layer gather.
oci_runtime_layer() {
    local stamp=$OCI/runtime.stamp root=$OCI/runtime bill pair
    bill=$(oci_bill lvms)
    if up_to_date $stamp "$IMAGE.linked" "$IMAGE.commit" deploy/plugin build && [ -e "$bill" ] &&
        [ -e "$(oci_bill $OCI_GATHER)" ]; then return 0; fi
    find_jdk
    rm --recursive --force $root
    mkdir --parents "$root$PREFIX"
    cp --recursive --no-dereference "$IMAGE/." "$root$PREFIX"
    rm --force "$root$PREFIX"/lib/*.aot
    launchers fixed_launcher "$root$PREFIX/bin"
    launcher_arguments "$root$PREFIX/lib" "$PREFIX/lib"
    mkdir --parents "$root/usr/bin" "$root$PREFIX/share"
    # Called by its name, lvms is that command; oc adm must-gather wants it here.
    cp "$root$PREFIX/bin/lvms" "$root/usr/bin/gather"
    cp "$root$PREFIX/bin/lvms" "$root/lvms" # as manifests of LVMS call it: /lvms operator, /lvms vgmanager
    for pair in lvmd=lvmd $TOPOLVM_LAUNCHERS; do
        cp "$root$PREFIX/bin/${pair%=*}" "$root/" # as manifests of TopoLVM call it: /lvmd, /topolvm-scheduler
    done
    install --mode=0644 deploy/plugin/kubectl-lvms "$root$PREFIX/share"
    bill_of_materials lvms debian
    bill_of_materials $OCI_GATHER debian gather
    cp "$bill" "$root$PREFIX/lvms.cdx.json"
    chmod --recursive u=rwX,go=rX $root
    oci_layer runtime
    made "$stamp"
}

# The layer of the AOT caches, which no two trainings make alike, and of the arguments that name them.
oci_aot_layer() {
    local stamp=$OCI/aot.stamp root=$OCI/aot
    if up_to_date $stamp "$IMAGE.trained" "$IMAGE.commit" build/oci.sh; then return 0; fi
    rm --recursive --force $root
    mkdir --parents "$root$PREFIX/lib"
    cp "$IMAGE"/lib/*.aot "$root$PREFIX/lib"
    launcher_arguments "$root$PREFIX/lib" "$PREFIX/lib"
    chmod --recursive u=rwX,go=rX $root
    oci_layer aot
    made "$stamp"
}

# oci_layer NAME: packs the folder of that name; the same files give the same bytes wherever and whoever packs.
oci_layer() {
    local name=$1 tar=$OCI/$1.tar
    tar --create --format=gnu --sort=name --mtime="$JAR_DATE" --owner=0 --group=0 --numeric-owner \
        --file "$tar" --directory "$OCI/$name" .
    sha256_of "$tar" >"$OCI/$name.diff-id"
    gzip --no-name --best --stdout "$tar" >"$tar.gz"
    sha256_of "$tar.gz" >"$OCI/$name.digest"
    rm "$tar"
}

sha256_of() { sha256sum "$1" | cut --delimiter=' ' --fields=1; }

# oci_archive FILE REFERENCE LAYER...: writes the layout and packs it.
oci_archive() {
    local archive=$1 reference=$2 layout=$OCI/layout name
    shift 2
    rm --recursive --force $layout "$archive" "$archive.new"
    mkdir --parents $layout/blobs/sha256
    for name in "$@"; do
        ln "$OCI/$name.tar.gz" "$layout/blobs/sha256/$(cat "$OCI/$name.digest")"
    done
    image_documents layout folder=$layout layers=$OCI reference="$reference" version="$VERSION" prefix="$PREFIX" \
        architecture="$(oci_architecture)" created="$(source_date)" revision="$(source_commit)" "$@" >$OCI/digest
    tar --create --format=gnu --sort=name --mtime="$JAR_DATE" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        --file "$archive.new" --directory $layout blobs index.json manifest.json oci-layout
    mv "$archive.new" "$archive"
}

# The JSON of the image: image_documents bill|layout NAME=VALUE... [layer]...
image_documents() {
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 build/ImageDocuments.java "$@"
}

# bill_of_materials NAME LAYER...: writes that of an image: our jars, those of others, the JDK, and Debian's packages.
bill_of_materials() {
    local name=$1 bill layer locks=''
    shift
    bill=$(oci_bill "$name")
    for layer in "$@"; do locks+=,$(oci_lock "$layer"); done
    image_documents bill name="$name" reference="localhost/$name:$VERSION" version="$VERSION" jars=out/jars \
        artifacts="$ARTIFACTS" locks="${locks#,}" debian-architecture="$(debian_architecture)" image="$IMAGE" \
        >"$bill.new"
    mv "$bill.new" "$bill"
}

oci_print() {
    local archive=$1 reference=$2 name
    shift 2
    say "$archive: $reference, linux/$(oci_architecture), sha256:$(cat $OCI/digest)"
    for name in "$@"; do
        printf '  %-16s %4s MB unpacked %4s MB compressed\n' "$name" \
            "$(megabytes "$OCI/$name")" "$(megabytes "$OCI/$name.tar.gz")"
    done
    printf '  %-16s %4s MB unpacked %4s MB compressed\n' all "$(megabytes "${@/#/$OCI/}")" \
        "$(megabytes $(printf "$OCI/%s.tar.gz " "$@"))"
}
