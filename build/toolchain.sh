# Packages of Debian that are installed, and whether something has to be made again. Part of build.sh.

# What the next `made` notes, by stamp.
declare -A MADE_OF=()

# Installs the Debian packages that are missing and says so, where it is root on Debian; else says what is missing.
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
