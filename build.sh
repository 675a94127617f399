#!/usr/bin/env bash
# Builds, tests and shows lvms. `./build.sh help` lists what it can do; all output lands in out/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
export LC_ALL=C.UTF-8 TZ=UTC
umask 022

readonly VERSION=0.1.0
readonly CACHE="${LVMS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/lvms}"
# The time that our jars' entries carry, so that the same sources give the same bytes.
readonly JAR_DATE=2026-01-01T00:00:00Z
readonly ARTIFACTS=build/artifacts.tsv

say() { printf '%s\n' "$*"; }
die() {
    printf 'build.sh: %s\n' "$*" >&2
    exit 1
}

. build/machine.sh
case "${1:-all}" in help | -h | --help | clean) ;; *) require_tools ;; esac
. build/toolchain.sh
. build/sources.sh
. build/artifacts.sh
. jlink/modules.sh
. build/compile.sh
. jlink/image.sh
. build/architecture.sh
. build/debian.sh
. build/oci.sh
. build/chart.sh
. build/olm.sh
. build/maven.sh
. build/outdated.sh
. build/release.sh
. tests/run.sh
for part in tests/docs/docs.sh tests/lab/lab.sh tests/cluster/cluster.sh tests/demo/demo.sh tests/bench/bench.sh \
    tests/chaos/chaos.sh tests/conformance/programs.sh tests/machine/machine.sh tests/machine/jvm.sh tests/e2e/e2e.sh \
    tests/monitoring/monitoring.sh; do
    # shellcheck source=/dev/null
    if [ -e "$part" ]; then . "$part"; fi
done

## all        compile, lint and run the tests (what happens without a target)
target_all() {
    target_compile
    # shellcheck disable=SC2119
    target_lint
    target_test "$@"
}

## help       this list
target_help() {
    say "usage: ./build.sh [target] [arguments]"
    grep --no-filename '^## ' build.sh build/*.sh jlink/*.sh tests/*.sh tests/*/*.sh 2>/dev/null | sed 's/^## /  /'
}

## clean      remove out/ (the download cache stays)
target_clean() { rm --recursive --force out; }

main() {
    local target="${1:-all}"
    [ $# -eq 0 ] || shift
    case "$target" in -h | --help) target=help ;; esac
    declare -F "target_$target" >/dev/null || die "no target named '$target': ./build.sh help lists them"
    mkdir --parents out
    [ -z "${LVMS_SOURCES:-}" ] || take_sources
    "target_$target" "$@"
}

main "$@"
