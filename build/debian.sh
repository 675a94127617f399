# Packages of Debian without touching the installed system: a private apt and a pinned list. Part of build.sh.

readonly DEBIAN_KEYS=/usr/share/keyrings/debian-archive-keyring.gpg

# Prints where Debian's archive comes from: known_mirror debian|debian-security. That is LVMS_DEBIAN_MIRROR, the
# address of the folder that holds both, or else what apt itself uses on this machine; nothing if there is neither.
known_mirror() {
    local mirror=${LVMS_DEBIAN_MIRROR:+${LVMS_DEBIAN_MIRROR%/}/$1}
    if [ -z "$mirror" ]; then
        mirror=$(sed --quiet --expression="s|^URIs: *\([^ ]*/$1\)/* *\$|\1|p" \
            --expression="s|^deb .*\(https*:[^ ]*/$1\)/* .*|\1|p" \
            /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head --lines=1) || true
    fi
    say "$mirror"
}

# The same where it cannot be done without.
debian_mirror() {
    local mirror
    mirror=$(known_mirror "$1")
    [ -n "$mirror" ] ||
        die "no mirror of Debian is known here: set LVMS_DEBIAN_MIRROR to the address of one, without /$1"
    say "$mirror"
}

# private_apt FOLDER COMMAND...: runs apt-get, apt-cache or apt-helper with sources.list and all state in the folder.
# APT_ARCHITECTURE may name another architecture than this machine's.
private_apt() {
    local folder=$1 command=$2 architecture=${APT_ARCHITECTURE:-$(machine_architecture)}
    shift 2
    mkdir --parents "$folder/lists/partial" "$folder/archives/partial"
    "$command" -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$folder/lists" -o Dir::Cache="$folder" -o Dir::Cache::Archives="$folder/archives" \
        -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User=root "$@"
}

# debian_sources SUITE...: the lines of a sources.list.
debian_sources() {
    local suite archive mirror
    for suite in "$@"; do
        archive=debian
        case $suite in *-security) archive=debian-security ;; esac
        mirror=$(debian_mirror $archive) || return
        say "deb [signed-by=$DEBIAN_KEYS] $mirror $suite main"
    done
}

# debian_pins SUITES PACKAGE...: prints for each package: name version sha256 archive/path-in-the-archive
# It asks apt, which checks the archive's signature. APT_ARCHITECTURE counts here too.
debian_pins() {
    local folder suites=$1 uri file sum rest
    shift
    folder=$(mktemp --directory "${TMPDIR:-/tmp}/lvms-apt.XXXXXX")
    # shellcheck disable=SC2086
    if ! { debian_sources $suites >"$folder/sources.list" && private_apt "$folder" apt-get update &&
        (cd "$folder/archives" && private_apt "$folder" apt-get download --print-uris "$@" >"$folder/uris"); } \
        >"$folder/log" 2>&1; then
        tail --lines=5 "$folder/log" "$folder/uris" >&2
        rm --recursive --force "$folder"
        return 1
    fi
    while read -r uri file _ sum rest; do
        case $sum in SHA256:*) ;; *) die "apt gives no SHA-256 of $file" ;; esac
        rest=${file#*_}
        rest=${rest%_*}
        say "${file%%_*} ${rest/\%3a/:} ${sum#SHA256:} $(debian_path "$uri")"
    done <"$folder/uris" | sort
    rm --recursive --force "$folder"
}

# debian_path URI: where apt gets a file from, with the archive's name in place of its mirror.
debian_path() {
    local uri=${1//\'/} archive mirror
    uri=${uri//%2b/+}
    uri=${uri//%7e/\~}
    for archive in debian debian-security; do
        mirror=$(debian_mirror $archive) || return
        if [[ $uri == "$mirror"/* ]]; then say "$archive/${uri#"$mirror"/}"; fi
    done
}

# LVMS_DEBIAN_SNAPSHOTS may be the address of an archive of all versions: what a mirror no longer has comes from there.
# debian_packages lock=FILE [contents=FILE root=FOLDER]: fetches the pinned packages into $CACHE/debian, and unpacks
# what is kept of them.
debian_packages() {
    if ! command -v tar >/dev/null || ! command -v xz >/dev/null; then install_packages tar xz-utils; fi
    compile build/debian # it needs neither root nor apt nor dpkg
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --class-path out/debian-classes lvms.debian.Main \
        cache="$CACHE/debian" debian="$(known_mirror debian)" debian-security="$(known_mirror debian-security)" \
        ${LVMS_DEBIAN_SNAPSHOTS:+snapshots="$LVMS_DEBIAN_SNAPSHOTS"} "$@" || exit
}
