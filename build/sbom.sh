# Writes the bill of materials of the container image, as CycloneDX JSON. Part of build.sh.

# Prints it: our jars, those of others, the JDK, and the Debian packages of the lock file.
bill_of_materials() {
    local jdk
    jdk=$(sed --quiet 's/^JAVA_RUNTIME_VERSION="\(.*\)"$/\1/p' "$JDK/release")
    say '{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,'
    # shellcheck disable=SC2153 # build.sh sets VERSION
    say "\"metadata\":{\"component\":{\"type\":\"container\",\"bom-ref\":\"$OCI_REFERENCE\",\"name\":\"lvms\",\"version\":\"$VERSION\",$(licence_of Apache-2.0)}},"
    say '"components":['
    {
        our_components
        artifacts image | their_components
        say "$(component framework openjdk "$jdk" "pkg:generic/openjdk@${jdk/+/%2B}"),$(licence_of \
            'GPL-2.0-only WITH Classpath-exception-2.0')}"
        say "$(component operating-system debian 12 '')}"
        debian_components
    } | sed '$!s/$/,/'
    say ']}'
}

# component TYPE NAME VERSION PURL: the beginning of a component, without its closing brace.
component() {
    printf '{"type":"%s","name":"%s","version":"%s"' "$1" "$2" "$3"
    if [ -n "$4" ]; then printf ',"bom-ref":"%s","purl":"%s"' "$4" "$4"; fi
}

licence_of() {
    case $1 in
    *' '*) printf '"licenses":[{"expression":"%s"}]' "$1" ;;
    *) printf '"licenses":[{"license":{"id":"%s"}}]' "$1" ;;
    esac
}

checksum_of() { printf '"hashes":[{"alg":"SHA-256","content":"%s"}]' "$1"; }

our_components() {
    local jar name
    for jar in out/jars/*.jar; do
        name=$(basename "$jar" .jar)
        say "$(component library "$name" "$VERSION" "pkg:generic/$name@$VERSION"),$(licence_of Apache-2.0),$(checksum_of \
            "$(sha256_of "$jar")")}"
    done
}

their_components() {
    local sum licence coordinates group name version
    while read -r _ sum _ _ licence _ coordinates; do
        IFS=: read -r group name version _ <<<"$coordinates"
        say "$(component library "$name" "$version" "pkg:maven/$group/$name@$version"),\"group\":\"$group\",$(licence_of \
            "$licence"),$(checksum_of "$sum")}"
    done
}

debian_components() {
    local package version sum escaped architecture
    architecture=$(dpkg --print-architecture)
    while read -r package version sum _; do
        escaped=${version//:/%3A}
        say "$(component library "$package" "$version" \
            "pkg:deb/debian/${package//+/%2B}@${escaped//+/%2B}?arch=$architecture&distro=debian-12"),$(checksum_of "$sum")}"
    done < <(grep --invert-match '^#' "$(oci_lock)")
}
