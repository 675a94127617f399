# Builds what a real cluster consists of, from the Go modules that tests/conformance/go pins. Part of build.sh.
#
# A module's tools.go names its programs; go.mod and go.sum pin them and all that they consist of.

readonly GO_MODULES=tests/conformance/go
readonly PROGRAMS=$CACHE/kubernetes
# The package whose program is its tests.
readonly E2E_TESTS=k8s.io/kubernetes/test/e2e

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

# What the suites of the layer need: the chart, all of the newest version, and the API server of the others.
conformance_prepare() {
    local version
    target_chart
    for version in $(kubernetes_versions); do
        conformance_programs "$version"
    done
}

# conformance_programs VERSION [PROGRAM]...: builds what the cache does not hold; without names, all but the sidecars,
# Kubernetes' own tests and others' old programs.
conformance_programs() {
    local version=$1 missing
    kubernetes_versions | grep --quiet --line-regexp --fixed-strings "$version" ||
        die "Kubernetes $version is not pinned; there are: $(kubernetes_versions | paste --serial --delimiters=' ')"
    if programs_built "$@"; then return 0; fi
    missing=$(programs_missing)
    [ -z "$missing" ] || die "$missing"
    mkdir --parents "$PROGRAMS"
    each_module build_programs "$@"
}

# programs_built VERSION [PROGRAM]...: whether the cache holds them with the present pins.
programs_built() { each_module no_program_missing "$@"; }

# server_built [VERSION]: whether the cache holds what integration tests at an API server run, else at the newest.
server_built() {
    local newest
    newest=$(kubernetes_versions | head --lines=1)
    programs_built "${1:-$newest}" kube-apiserver && programs_built "$newest" etcd kube-controller-manager
}

# each_module ACTION VERSION [PROGRAM]...: calls ACTION MODULE PACKAGE... for each Go module that has some of them.
each_module() {
    local action=$1 version=$2 module package name wanted packages
    shift 2
    wanted=" $* "
    for module in "$(kubernetes_module "$version")" \
        $GO_MODULES/{etcd,csi-sanity,helm,csi-sidecars,e2e,topolvm-0.10,registry}; do
        # Only long tests need these, and each takes as long as kubelet.
        if [ $# = 0 ] && [[ $module =~ /(csi-sidecars|e2e|topolvm-0.10|registry)$ ]]; then continue; fi
        packages=()
        for package in $(module_packages "$module"); do
            name=$(program_name "$package")
            if [ $# = 0 ] || [[ $wanted == *" $name "* ]]; then
                packages+=("$package")
                wanted=${wanted/ $name / }
            fi
        done
        [ ${#packages[@]} = 0 ] || "$action" "$module" "${packages[@]}" || return 1
    done
    [ -z "${wanted// /}" ] ||
        die "of Kubernetes $version, these are not built:$(tr --squeeze-repeats ' ' <<<"${wanted% }")"
}

# The Go packages of the programs that a module names.
module_packages() { sed --quiet 's/^\(import\)\{0,1\}[[:space:]]*_ "\(.*\)"$/\2/p' "$1/tools.go"; }

# Our name of it: etcd's server is etcd, and tests have the ending that go gives them.
program_name() {
    case "$1" in
    go.etcd.io/etcd/server/v3) say etcd ;;
    "$E2E_TESTS") say "$(go_name "$1").test" ;;
    *) go_name "$1" ;;
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

# build_programs MODULE PACKAGE...: by one call of go, so that what programs share is compiled once; one call at a
# time on this machine, since each takes all CPUs.
build_programs() {
    local module=$1 folder pins package missing=() started
    shift
    if no_program_missing "$module" "$@"; then return 0; fi
    folder=$(program_folder "$module")
    pins=$(module_pins "$module")
    mkdir --parents "$folder"
    (
        flock 9
        missing_programs "$@"
        if [ ${#missing[@]} = 0 ]; then exit 0; fi
        started=$SECONDS
        go_build "$module" "$folder" "${missing[@]}" 9>&- >"$folder/log" 2>&1 ||
            die "$(program_names) of $(basename "$folder") could not be built: see $folder/log"
        rm "$folder/log"
        for package in "${missing[@]}"; do say "$pins" >"$folder/$(program_name "$package").pins"; done
        say "built $(program_names) of $(basename "$folder") in $((SECONDS - started)) s"
    ) 9>"$PROGRAMS/lock"
}

# no_program_missing MODULE PACKAGE...: whether the cache holds them with the present pins.
no_program_missing() {
    local module=$1 folder pins package missing
    shift
    folder=$(program_folder "$module")
    pins=$(module_pins "$module")
    missing_programs "$@"
    [ ${#missing[@]} = 0 ]
}

module_pins() { cat "$1/go.mod" "$1/go.sum" | sha256sum | cut --delimiter=' ' --fields=1; }

# Sets missing to those of the packages that the caller's folder does not hold with its pins.
missing_programs() {
    local name
    missing=()
    for package in "$@"; do
        name=$(program_name "$package")
        [ -x "$folder/$name" ] && [ "$(cat "$folder/$name.pins" 2>/dev/null)" = "$pins" ] || missing+=("$package")
    done
}

program_names() {
    for package in "${missing[@]}"; do program_name "$package"; done | paste --serial --delimiters=' '
}

# go_build MODULE FOLDER PACKAGE...: a program appears whole, and the definitions that belong to it before it.
go_build() {
    local module=$1 folder=$2 flags="-s -w" version package plain=()
    local options=(-mod=readonly -trimpath -buildvcs=false)
    shift 2
    if [[ $module == */helm ]]; then
        # What charts are told of Kubernetes where there is no cluster; without it, that is 1.20.
        version=$(kubernetes_versions | head --lines=1 | cut --delimiter=. --fields=2)
        for package in chartutil lint/rules; do
            flags+=" -X helm.sh/helm/v3/pkg/$package.k8sVersionMajor=1"
            flags+=" -X helm.sh/helm/v3/pkg/$package.k8sVersionMinor=$version"
        done
    elif [[ $module == */kubernetes-* || $module == */e2e ]]; then
        version=v${folder##*v}
        flags+=" -X k8s.io/component-base/version.gitVersion=$version"
        flags+=" -X k8s.io/component-base/version.gitMajor=1"
        flags+=" -X k8s.io/component-base/version.gitMinor=$(cut --delimiter=. --fields=2 <<<"$version")"
    fi
    (
        cd "$module" || exit
        rm --recursive --force "$folder/new"
        mkdir "$folder/new" || exit
        # The C library of a node need not be this machine's.
        export CGO_ENABLED=0 GOWORK=off
        for package in "$@"; do
            if [ "$package" = "$E2E_TESTS" ]; then
                go test -c -vet=off "${options[@]}" -ldflags "$flags" -o "$folder/new/$(go_name "$package")" \
                    "$package" || exit
            else
                plain+=("$package")
            fi
        done
        [ ${#plain[@]} = 0 ] || go build "${options[@]}" -ldflags "$flags" -o "$folder/new/" "${plain[@]}" || exit
        if [[ " $* " == */snapshot-controller\ * ]]; then snapshot_definitions "$folder/crd" || exit; fi
        for package in "$@"; do
            mv "$folder/new/$(go_name "$package")" "$folder/$(program_name "$package")" || exit
        done
        rmdir "$folder/new"
    )
}

# What go calls the program of a package: its last element that is not a major version.
go_name() { sed 's|/v[0-9]*$||; s|.*/||' <<<"$1"; }

# snapshot_definitions FOLDER: copies the CRDs of snapshots and group snapshots from the module that has them.
snapshot_definitions() {
    local source
    source=$(GOWORK=off go list -mod=readonly -m -f '{{.Dir}}' \
        github.com/kubernetes-csi/external-snapshotter/client/v8) || return
    mkdir --parents "$1"
    install --mode=644 "$source"/config/crd/*.yaml "$1"
}
