# Makes the folder that a publisher pushes. Part of build.sh; docs/release.md is for its users.

readonly RELEASE=out/release
# What it is made of, and where it is written before it is whole.
readonly RELEASE_PARTS=out/release.parts
readonly RELEASE_NEW=out/release.new

## release    write all that a publisher pushes of a tag vX.Y.Z to out/release: [--registry HOST/NAME] [--key FILE]
##            [--arch LIST] [--downloads URL] [--builder URI] [--no-aot] (docs/release.md)
target_release() {
    local architectures=amd64,arm64 registry=localhost aot=yes key='' words=() architecture layer with=true
    local downloads=https://downloads.invalid/lvms builder=urn:lvms:build.sh
    while [ $# -gt 0 ]; do
        case "$1" in
        --no-aot)
            aot=no
            shift
            continue
            ;;
        esac
        [ $# -gt 1 ] || die "release: $1 is unknown, or needs a value"
        case "$1" in
        --arch) architectures=$2 ;;
        --registry) registry=$2 ;;
        --key) key=$2 ;;
        --downloads) downloads=${2%/} ;;
        --builder) builder=$2 ;;
        *) die "release: unknown option $1" ;;
        esac
        shift 2
    done
    if [ "${LVMS_AOT:-yes}" = no ]; then aot=no; fi
    if [ $aot = no ]; then with=false; fi
    release_check "$architectures" "$key"
    words=(version="$VERSION" commit="$(source_commit)" seconds="$(source_seconds)" registry="$registry"
        downloads="$downloads" builder="$builder")
    [ -z "$key" ] || words+=(key="$key")
    compile build/release
    release_program "${words[@]}" # before the images, which take minutes
    trap 'rm --recursive --force $RELEASE_PARTS $RELEASE_NEW' EXIT
    rm --recursive --force $RELEASE_PARTS $RELEASE_NEW
    mkdir --parents $RELEASE_PARTS
    for architecture in ${architectures//,/ }; do
        release_image "$architecture" $aot
        words+=(image="$RELEASE_PARTS/$architecture/lvms" gatherer="$RELEASE_PARTS/$architecture/gather")
        for layer in debian gather jdk; do words+=(lock="build/oci/$layer-$architecture.lock"); done
        # Of this machine, where it trains the caches of another architecture.
        if [ $aot = yes ] && [ "$architecture" != "$(machine_architecture)" ] && [ -e "$(qemu_lock)" ]; then
            words+=(lock="$(qemu_lock)")
        fi
    done
    target_chart
    target_maven
    release_sources
    release_jars
    say "writing $RELEASE"
    release_program to=$RELEASE_NEW scratch=$RELEASE_PARTS/scratch tree=. chart="$CHART" maven="$MAVEN" \
        jars=$RELEASE_PARTS/jars debian="$CACHE/debian" prefix="$PREFIX" reference="$OCI_REFERENCE" \
        archive="$RELEASE_PARTS/lvms-$VERSION-src.tar.gz" aot=$with "${words[@]}"
    rm --recursive --force $RELEASE
    mv $RELEASE_NEW $RELEASE
    say "$RELEASE: $VERSION of $(source_commit) for $registry, $(megabytes $RELEASE) MB"
    grep --no-filename ' has no AOT caches' $RELEASE_PARTS/*/log || true
    (target_outdated) || say "so it is not known here which of its pins are outdated"
    if [ -z "$key" ]; then say "unsigned: --key FILE signs SHA256SUMS"; fi
    if [[ $downloads == *.invalid/* ]]; then
        say "krew/lvms.yaml names $downloads: --downloads URL says where the files of the release will be"
    fi
}

# Without to= it checks the other words alone.
release_program() {
    "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
        --class-path "out/release-classes:out/olm-classes:out/classes/lvms.k8s:$(echo out/modules/gson-*.jar)" \
        lvms.release.Main "$@" || exit
}

# release_check ARCHITECTURES KEY: says in one line what keeps this tree or machine from a release.
release_check() {
    local tags program
    [ ! -e .git ] || [ -z "$(git status --porcelain)" ] ||
        die "release: the tree has changes that are not committed: commit them, and tag that commit"
    tags=$(source_tags)
    [ -n "$tags" ] || die "release: commit $(source_commit) has no tag vX.Y.Z: git tag v$VERSION"
    grep --quiet --line-regexp --fixed-strings "v$VERSION" <<<"$tags" ||
        die "release: the commit is tagged ${tags//$'\n'/ }, but its build.sh has the version $VERSION"
    [[ $1 =~ ^[a-z0-9]+(,[a-z0-9]+)*$ ]] || die "release: --arch $1: expected a list such as amd64,arm64"
    program=$(tr , '\n' <<<"$1" | sort | uniq --repeated)
    [ -z "$program" ] || die "release: --arch $1 names ${program//$'\n'/ and } twice"
    for program in ${1//,/ }; do
        [ -e "build/oci/debian-$program.lock" ] ||
            die "release: no image can be built for linux/$program: --arch names those to release"
    done
    [ -z "$2" ] || [ -r "$2" ] || die "release: --key $2: there is no such file, or it cannot be read"
    find_jdk
    for program in javac jar jlink javadoc; do
        [ -x "$JDK/bin/$program" ] || die "release: $JDK has no $program: set JAVA_HOME to a whole JDK 25"
    done
}

# release_image ARCHITECTURE AOT: builds the images and unpacks them.
release_image() {
    local architecture=$1 options=(--arch "$1") parts=$RELEASE_PARTS/$1 archive
    if [ "$2" = no ]; then options+=(--no-aot); fi
    mkdir --parents "$parts/lvms" "$parts/gather"
    # In a shell of its own: an architecture changes what the build's variables say.
    (target_oci "${options[@]}") | tee "$parts/log"
    archive=$(sed --quiet "s|^\(out/lvms-.*[.]oci[.]tar\): .*, linux/$architecture, .*|\1|p" "$parts/log")
    [ -e "$archive" ] || die "release: ./build.sh oci ${options[*]} made no image for linux/$architecture"
    release_unpack "$archive" "$parts/lvms"
    archive=${archive/lvms-/$OCI_GATHER-}
    archive=${archive/-no-aot/}
    release_unpack "$archive" "$parts/gather"
    cp "${archive%.oci.tar}.cdx.json" "$parts/gather/bill.cdx.json"
}

# release_unpack ARCHIVE FOLDER: of all that tar complains about, such as a full disk, the first line.
release_unpack() {
    local said
    said=$(tar --extract --file "$1" --directory "$2" 2>&1) ||
        die "release: cannot unpack $1 ($(free_megabytes out) MB free on its disk): ${said%%$'\n'*}"
}

free_megabytes() { df --block-size=1M --output=avail "$1" | tail --lines=1 | tr --delete ' '; }

# The jars and tools of others, with those programs that machines of another kind build with.
release_jars() {
    local platform
    mkdir --parents $RELEASE_PARTS/jars
    cp out/deps/* $RELEASE_PARTS/jars
    for platform in $(pinned_platforms); do
        [ "$platform" = "$THIS_PLATFORM" ] || cp "$(platform_tools "$platform")"/*.exe $RELEASE_PARTS/jars
    done
}

# The sources as git has them; a tree that is such an archive has no git, and takes the one that it came from.
release_sources() {
    local archive=lvms-$VERSION-src.tar.gz
    if [ -e .git ]; then
        git archive --format=tar --prefix="lvms-$VERSION/" HEAD | gzip --no-name --best >"$RELEASE_PARTS/$archive"
    else
        [ -e "${LVMS_SOURCES:-}/$archive" ] ||
            die "release: a tree without git needs LVMS_SOURCES, the folder with its archive $archive"
        cp "$LVMS_SOURCES/$archive" $RELEASE_PARTS
    fi
}
