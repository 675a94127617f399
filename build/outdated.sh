# Which pins are older than what is to be had now. Part of build.sh.

## outdated   list pins that have another version by now, one a line: where, name, pinned, newest
target_outdated() {
    local found
    found=$(outdated_jars && outdated_packages) || exit
    if [ -n "$found" ]; then say "$found"; fi
    say "outdated: $(grep --count . <<<"$found" || true) pins (build/artifacts.tsv by hand; ./build.sh oci --update)"
}

outdated_jars() {
    command -v mvn >/dev/null || install_packages maven >&2
    mkdir --parents out/fetch
    artifacts all | write_fetch_pom >out/fetch/pom.xml
    find_jdk
    JAVA_HOME=$JDK mvn --batch-mode --file out/fetch/pom.xml -Dversions.outputLineWidth=200 \
        org.codehaus.mojo:versions-maven-plugin:2.18.0:display-dependency-updates >out/fetch/newest 2>&1 ||
        die "Maven could not tell which versions there are: see out/fetch/newest"
    sed --quiet 's/^\[INFO\]   \([^ ]*\) [.]* \([^ ]*\) -> \([^ ]*\)$/maven \1 \2 \3/p' out/fetch/newest
}

outdated_packages() {
    local architecture pins
    for architecture in $ARCHITECTURES; do
        pins=$(oci_newest "$architecture") || exit
        sort --unique build/oci/*-"$architecture".lock | awk -v where="debian/$architecture" '
            NR == FNR { newest[$1] = $2; next }
            !/^#/ && $1 in newest && newest[$1] != $2 { print where, $1, $2, newest[$1] }' <(say "$pins") -
    done
}
