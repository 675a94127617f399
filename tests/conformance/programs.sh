# Builds what a real cluster consists of, from the Go modules that tests/conformance/go pins. Part of build.sh.
#
# A module's tools.go names its programs; go.mod and go.sum pin them and all that they consist of.

readonly GO_MODULES=tests/conformance/go
readonly PROGRAMS=$CACHE/kubernetes

# Prints in one line what keeps this machine from building the programs; nothing if it can.
programs_missing() {
    local needed found
    needed=$(sed --quiet 's/^go //p' $GO_MODULES/*/go.mod | sort --version-sort | tail --lines=1)
    if [ "$(uname --kernel-name)" != Linux ]; then
        say "a real Kubernetes needs Linux"
    elif ! command -v go >/dev/null; then
        say "a real Kubernetes needs Go $needed or newer to be built, and there is no go in PATH"
    else
        found=$(cd / && go env GOVERSION | sed 's/^go//')
        if [ "$(printf '%s\n' "$needed" "$found" | sort --version-sort | head --lines=1)" != "$needed" ]; then
            say "a real Kubernetes needs Go $needed or newer to be built, and this is Go $found"
        fi
    fi
}

# Prints in one line what keeps this machine from running a cluster of its own; nothing if it can.
conformance_missing() {
    local missing
    missing=$(lab_missing)
    [ -n "$missing" ] || missing=$(programs_missing)
    [ -z "$missing" ] || say "$missing"
}

# The versions of Kubernetes that can be built, newest first.
kubernetes_versions() {
    sed --quiet 's/^require k8s.io\/kubernetes v//p' $GO_MODULES/kubernetes-*/go.mod | sort --version-sort --reverse
}

# The folder of the module that pins this version of Kubernetes.
kubernetes_module() {
    dirname "$(grep --files-with-matches --line-regexp --fixed-strings "require k8s.io/kubernetes v$1" \
        $GO_MODULES/kubernetes-*/go.mod)"
}

## programs   build Kubernetes and what belongs to it into the cache: [--kubernetes VERSION] [program]... | --versions
target_programs() {
    local version
    version=$(kubernetes_versions | head --lines=1)
    case "${1:-}" in
    --versions)
        kubernetes_versions
        return
        ;;
    --kubernetes)
        version=${2:?--kubernetes needs a version}
        shift 2
        ;;
    -*) die "programs: unknown option $1" ;;
    esac
    conformance_programs "$version" "$@"
}

# What the suites of the layer need: all of the newest version, and the API server of the others.
conformance_prepare() {
    local version
    for version in $(kubernetes_versions); do
        conformance_programs "$version"
    done
}

# conformance_programs VERSION [PROGRAM]...: builds what the cache does not hold; without names, all there are.
conformance_programs() {
    local version=$1 missing module package name wanted
    shift
    kubernetes_versions | grep --quiet --line-regexp --fixed-strings "$version" ||
        die "Kubernetes $version is not pinned; there are: $(kubernetes_versions | paste --serial --delimiters=' ')"
    missing=$(programs_missing)
    [ -z "$missing" ] || die "$missing"
    mkdir --parents "$PROGRAMS"
    wanted=" $* "
    for module in "$(kubernetes_module "$version")" $GO_MODULES/{etcd,snapshot-controller,csi-sanity}; do
        for package in $(module_packages "$module"); do
            name=$(program_name "$package")
            if [ $# = 0 ] || [[ $wanted == *" $name "* ]]; then
                build_program "$module" "$package" || return 1
                wanted=${wanted/ $name / }
            fi
        done
    done
    [ -z "${wanted// /}" ] ||
        die "of Kubernetes $version, these are not built:$(tr --squeeze-repeats ' ' <<<"${wanted% }")"
}

# The Go packages of the programs that a module names.
module_packages() { sed --quiet 's/^\(import\)\{0,1\}[[:space:]]*_ "\(.*\)"$/\2/p' "$1/tools.go"; }

# The program of a Go package: its last element that is not a major version; etcd's server is etcd.
program_name() {
    case "$1" in
    go.etcd.io/etcd/server/v3) say etcd ;;
    *) basename "$1" ;;
    esac
}

# Where the programs of a module lie: v1.36.3 for Kubernetes, else NAME-VERSION.
program_folder() {
    local version
    version=$(sed --quiet 's/^require [^ ]* //p' "$1/go.mod" | head --lines=1)
    case "$1" in
    */kubernetes-*) say "$PROGRAMS/$version" ;;
    *) say "$PROGRAMS/$(basename "$1")-$version" ;;
    esac
}

# build_program MODULE PACKAGE: one at a time on this machine, since each takes all CPUs.
build_program() {
    local module=$1 package=$2 name folder pins
    name=$(program_name "$package")
    folder=$(program_folder "$module")
    pins=$(cat "$module/go.mod" "$module/go.sum" | sha256sum | cut --delimiter=' ' --fields=1)
    if program_ready "$folder/$name" "$pins"; then return 0; fi
    mkdir --parents "$folder"
    (
        flock 9
        if program_ready "$folder/$name" "$pins"; then exit 0; fi
        local started=$SECONDS
        go_build "$module" "$package" "$folder/$name" 9>&- >"$folder/$name.log" 2>&1 ||
            die "$name $(basename "$folder") could not be built: see $folder/$name.log"
        rm "$folder/$name.log"
        say "$pins" >"$folder/$name.pins"
        say "built $name ($(basename "$folder")) in $((SECONDS - started)) s:" \
            "$(du --human-readable "$folder/$name" | cut --fields=1)"
    ) 9>"$PROGRAMS/lock"
}

program_ready() { [ -x "$1" ] && [ "$(cat "$1.pins" 2>/dev/null)" = "$2" ]; }

# go_build MODULE PACKAGE PROGRAM: the program appears whole, and the definitions that belong to it before it.
go_build() {
    local flags="-s -w" version program=$3
    if [[ $2 == k8s.io/kubernetes/* ]]; then
        version=$(basename "$(dirname "$program")")
        flags+=" -X k8s.io/component-base/version.gitVersion=$version"
        flags+=" -X k8s.io/component-base/version.gitMajor=1"
        flags+=" -X k8s.io/component-base/version.gitMinor=$(cut --delimiter=. --fields=2 <<<"$version")"
    fi
    (
        cd "$1" || exit
        # The C library of a node need not be this machine's.
        CGO_ENABLED=0 GOWORK=off \
            go build -mod=readonly -trimpath -buildvcs=false -ldflags "$flags" -o "$program.new" "$2" || exit
        if [[ $2 == */snapshot-controller ]]; then
            snapshot_definitions "$(dirname "$program")/crd" || exit
        fi
        mv "$program.new" "$program"
    )
}

# snapshot_definitions FOLDER: copies the CRDs of snapshots and group snapshots from the module that has them.
snapshot_definitions() {
    local source
    source=$(GOWORK=off go list -mod=readonly -m -f '{{.Dir}}' \
        github.com/kubernetes-csi/external-snapshotter/client/v8) || return
    mkdir --parents "$1"
    install --mode=644 "$source"/config/crd/*.yaml "$1"
}
