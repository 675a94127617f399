# Prometheus and promtool for the tests of what is served to them. Part of build.sh.

readonly PROMETHEUS=$CACHE/prometheus
readonly PROMETHEUS_OPERATOR=github.com/prometheus-operator/prometheus-operator
readonly PROMETHEUS_OPERATOR_VERSION=v0.85.0
readonly PROMETHEUS_OPERATOR_SUM=h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=

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
    prometheus_definitions
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

# Copies the definitions of Prometheus' operator into the cache, out of its Go module. Without Go, a test skips itself.
prometheus_definitions() {
    local folder=$PROMETHEUS/definitions-$PROMETHEUS_OPERATOR_VERSION module
    [ ! -d "$folder" ] || return 0
    command -v go >/dev/null || return 0
    module=$(cd / && GOFLAGS=-mod=mod go mod download -json "$PROMETHEUS_OPERATOR@$PROMETHEUS_OPERATOR_VERSION") ||
        die "the definitions of Prometheus' operator could not be fetched: $module"
    grep --quiet --fixed-strings "\"Sum\": \"$PROMETHEUS_OPERATOR_SUM\"" <<<"$module" ||
        die "$PROMETHEUS_OPERATOR $PROMETHEUS_OPERATOR_VERSION is not what it was"
    module=$(sed --quiet 's/.*"Dir": "\(.*\)".*/\1/p' <<<"$module")
    mkdir --parents "$folder.new"
    install --mode=644 "$module"/example/prometheus-operator-crd/*_{servicemonitors,prometheusrules}.yaml "$folder.new"
    mv "$folder.new" "$folder"
}
