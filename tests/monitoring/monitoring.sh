# Prometheus and promtool for the tests of what is served to them. Part of build.sh.

readonly PROMETHEUS=$CACHE/prometheus

# Prints in one line why this machine cannot have them; nothing if it can.
prometheus_missing() {
    [ ! -x "$PROMETHEUS/promtool" ] || return 0
    if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null || [ ! -e "$DEBIAN_KEYS" ]; then
        say "Prometheus comes from a package of Debian, and there is no apt of Debian here"
    fi
}

# Unpacks Debian's package into the cache. It is not installed: that would start a server.
prometheus_prepare() {
    local folder suite
    [ ! -x "$PROMETHEUS/promtool" ] || return 0
    folder=$(mktemp --directory "${TMPDIR:-/tmp}/lvms-apt.XXXXXX")
    suite=$(sed --quiet 's/^VERSION_CODENAME=//p' /etc/os-release)
    if ! { debian_sources "$suite" >"$folder/sources.list" && private_apt "$folder" apt-get update &&
        (cd "$folder" && private_apt "$folder" apt-get download prometheus) &&
        dpkg-deb --extract "$folder"/prometheus_*.deb "$folder/unpacked"; } >out/prometheus.log 2>&1; then
        die "Prometheus could not be fetched: see out/prometheus.log"
    fi
    mkdir --parents "$PROMETHEUS"
    mv "$folder"/unpacked/usr/bin/prom* "$PROMETHEUS"
    rm --recursive --force "$folder"
}
