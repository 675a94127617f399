# What the build stands on: a JDK 25, packages of Debian, and whether something has to be made again. Part of build.sh.

JDK=
# What the next `made` notes, by stamp.
declare -A MADE_OF=()

# Sets JDK to the home of a JDK 25, which is installed where apt has one and we may.
find_jdk() {
    [ -z "$JDK" ] || return 0
    local home
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
        if is_jdk_25 "$home"; then
            JDK=$home
            return 0
        fi
    done
    if [ "$(id --user)" = 0 ] && apt-cache show openjdk-25-jdk-headless >/dev/null 2>&1; then
        install_packages openjdk-25-jdk-headless
        JDK=$(echo /usr/lib/jvm/java-25-openjdk-*)
        is_jdk_25 "$JDK" && return 0
    fi
    die "no JDK 25 in JAVA_HOME or /usr/lib/jvm: install one, such as Eclipse Temurin, and set JAVA_HOME"
}

is_jdk_25() {
    [ -x "$1/bin/jlink" ] && grep --quiet '^JAVA_VERSION="25[."]' "$1/release" 2>/dev/null
}

# Installs the Debian packages that are missing, and says so.
install_packages() {
    local missing=() package
    for package in "$@"; do
        dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep --quiet 'ok installed' ||
            missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || die "missing: ${missing[*]} (there is no apt here: install them by hand)"
    [ "$(id --user)" = 0 ] ||
        die "missing Debian packages: ${missing[*]} (run as root, or: apt-get install ${missing[*]})"
    say "installing Debian packages: ${missing[*]}"
    apt-get update --quiet=2 >/dev/null 2>&1 || true
    DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}" \
        >out/apt.log 2>&1 || die "apt-get could not install ${missing[*]}: see out/apt.log"
}

# up_to_date STAMP PATH...: whether what STAMP stands for was made of files with these names and contents. If not, it is
# made again, and then `made STAMP` notes of what.
up_to_date() {
    local stamp=$1
    shift
    MADE_OF[$stamp]=$(find "$@" -type f -print0 2>/dev/null | sort --zero-terminated | xargs --null sha256sum |
        sha256sum)
    [ "$(cat "$stamp" 2>/dev/null)" = "${MADE_OF[$stamp]}" ]
}

made() { say "${MADE_OF[$1]}" >"$1"; }
