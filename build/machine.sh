# The machine that builds: what it has to have, a JDK 25 among it, and what others call it. Part of build.sh. It comes
# before the rest, so that bash 3.2, as macOS has it, understands it and can say what is missing.

JDK=
# As Maven's repositories name programs for this machine, such as linux-x86_64; the others for which we pin some.
THIS_PLATFORM=$(uname -sm)
case $THIS_PLATFORM in
'Linux x86_64') THIS_PLATFORM=linux-x86_64 ;;
'Linux aarch64') THIS_PLATFORM=linux-aarch_64 ;;
'Darwin x86_64') THIS_PLATFORM=osx-x86_64 ;;
'Darwin arm64') THIS_PLATFORM=osx-aarch_64 ;;
esac

# Says in one line what is missing to compile, check and run the unit tests, and ends.
require_tools() {
    local missing
    missing=$(missing_tools)
    [ -z "$missing" ] || die "missing: ${missing//$'\n'/, } (README.md says where it comes from)"
}

# Prints what is missing, one a line; nothing if all is there. Tools are tried, not asked for their names: some that are
# not GNU's do as well.
missing_tools() {
    [ $((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1])) -ge 404 ] || say "bash 4.4 or newer (this is $BASH_VERSION)"
    { stat --format=%n . && date --date=@0 && sha256sum --version; } >/dev/null 2>&1 || say 'GNU coreutils'
    { find . -maxdepth 0 -printf '' && xargs --null --no-run-if-empty true; } >/dev/null 2>&1 </dev/null ||
        say 'GNU findutils'
    say line | grep --quiet --null-data line 2>/dev/null || say 'GNU grep'
    sed --quiet --regexp-extended '' 2>/dev/null </dev/null || say 'GNU sed'
    awk 'BEGIN { exit }' 2>/dev/null || say awk
    [ ! -e .git ] || command -v git >/dev/null || say git
    [ -e out/deps ] || can_fetch || say 'Maven (mvn)'
    [ -n "$(jdk_25)" ] || can_install openjdk-25-jdk-headless || say 'a JDK 25'
    return 0
}

can_fetch() { command -v mvn >/dev/null || [ -n "${LVMS_SOURCES:-}" ] || can_install maven; }

# can_install PACKAGE: whether the build may install it: it is root on Debian, and the package exists there.
can_install() {
    [ "$(id -u 2>/dev/null)" = 0 ] && command -v apt-get >/dev/null || return 1
    apt-cache show "$1" >/dev/null 2>&1 ||
        { apt-get update --quiet=2 && apt-cache show "$1"; } >/dev/null 2>&1
}

# Sets JDK to the home of a JDK 25, which is installed where we may.
find_jdk() {
    [ -z "$JDK" ] || return 0
    JDK=$(jdk_25)
    if [ -z "$JDK" ] && can_install openjdk-25-jdk-headless; then
        install_packages openjdk-25-jdk-headless
        JDK=$(jdk_25)
    fi
    [ -n "$JDK" ] || die "missing: a JDK 25 (README.md says where it comes from)"
}

# Prints the home of the first JDK 25; nothing if there is none.
jdk_25() {
    local home
    while IFS= read -r home; do
        if [ ! -x "$home/bin/jlink" ] || [ ! -r "$home/release" ]; then continue; fi
        case $(<"$home/release") in
        *'JAVA_VERSION="25'[.\"]*)
            say "$home"
            return
            ;;
        esac
    done < <(jdk_homes)
}

# Prints where a JDK may be, one a line: as packages of Linux, macOS, brew and sdkman install it, and that of the PATH.
jdk_homes() {
    local home
    say "${JAVA_HOME:-}"
    for home in /usr/lib/jvm/* "${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/java/25*; do say "$home"; done
    if [ -x /usr/libexec/java_home ]; then /usr/libexec/java_home -v 25 2>/dev/null || true; fi
    for home in /opt/homebrew /usr/local /home/linuxbrew/.linuxbrew; do
        say "$home/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home"
        say "$home/opt/openjdk@25/libexec"
        say "$home/opt/openjdk/libexec/openjdk.jdk/Contents/Home"
        say "$home/opt/openjdk/libexec"
    done
    home=$(readlink -f "$(command -v java || true)" 2>/dev/null) || true
    say "${home%/bin/java}"
}
