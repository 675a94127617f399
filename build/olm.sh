# Makes what the Operator Lifecycle Manager installs, of the manifests of deploy. Part of build.sh.

readonly OLM=out/olm

## olm        write OLM's bundle and catalogue to out/olm: [--image REF] [--version V] [--bundle-image REF]
##            [--namespace NAME] [--architectures LIST] (docs/olm.md)
target_olm() {
    local release=$VERSION image='' words=()
    while [ $# -gt 0 ]; do
        [ $# -gt 1 ] || die "olm: $1 needs a value"
        case "$1" in
        --version) release=$2 ;;
        --image) image=$2 ;;
        --bundle-image | --namespace | --architectures) words+=("${1#--}=$2") ;;
        *) die "olm: unknown option $1" ;;
        esac
        shift 2
    done
    compile build/olm
    find_jdk
    rm --recursive --force $OLM
    "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
        --class-path "out/olm-classes:out/classes/lvms.k8s:$(echo out/modules/gson-*.jar)" \
        lvms.olm.Main to=$OLM version="$release" image="${image:-localhost/lvms:$release}" "${words[@]}"
    say "$OLM/bundle: $(find $OLM/bundle -type f | wc --lines) files"
    say "$OLM/catalog: $(wc --bytes <$OLM/catalog/catalog.yaml) bytes"
}
