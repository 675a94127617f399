# The jars and tools of others: pinned in artifacts.tsv by version and SHA-256, fetched with Maven. Part of build.sh.
#
# Programs among the tools are pinned for several machines. All but a release knows those of this one alone.

# Prints the artifacts of the given uses, or all, one a line: file sha256 use module licence needed-by coordinates
artifacts() { artifacts_for "$THIS_PLATFORM" "$@"; }

# artifacts_for PLATFORM USE...: the same for another machine.
artifacts_for() {
    local platform=$1
    shift
    awk -v platform="$platform" -v uses=" $* " -F '\t' '!/^#/ && (uses == " all " || index(uses, " " $3 " ")) {
        n = split($1, c, ":")
        if (n > 3 && c[5] == "exe" && c[4] != platform) next
        print c[2] "-" c[3] (n > 3 ? "-" c[4] "." c[5] : ".jar"), $2, $3, $4, $5, $6, $1
    }' "$ARTIFACTS"
}

## deps       fetch the pinned artifacts with Maven and check their SHA-256
target_deps() {
    [[ " $(pinned_platforms) " == *" $THIS_PLATFORM "* ]] ||
        die "$ARTIFACTS pins protoc for $(pinned_platforms), not for $THIS_PLATFORM: it needs rows for it"
    fetch out/deps < <(artifacts all)
}

# Prints the machines that programs are pinned for.
pinned_platforms() {
    awk -F '\t' '!/^#/ && split($1, c, ":") == 5 && c[5] == "exe" { print c[4] }' "$ARTIFACTS" |
        sort --unique | paste --serial --delimiters=' '
}

# platform_tools PLATFORM: fetches the programs for another machine, to run them by QEMU or to release them, and prints
# their folder.
platform_tools() {
    local folder=out/deps-$1
    fetch "$folder" < <(artifacts_for "$1" tool | grep '[.]exe ') >&2
    say "$folder"
}

# fetch FOLDER: makes the folder hold what the lines of standard input name, and nothing else: a former version of a
# tool is removed.
fetch() {
    local folder=$1 wanted sums
    wanted=$(cat)
    sums=$(awk -v folder="$folder" '{ print $2 "  " folder "/" $1 }' <<<"$wanted")
    if sha256sum --check --status <<<"$sums" 2>/dev/null; then
        remove_others "$folder" "$wanted" # which another commit has pinned
        return
    fi
    command -v mvn >/dev/null || install_packages maven
    mkdir --parents "$folder" out/fetch
    write_fetch_pom <<<"$wanted" >out/fetch/pom.xml
    find_jdk
    say "fetching $(wc --lines <<<"$wanted") artifacts"
    JAVA_HOME=$JDK mvn --batch-mode --quiet --file out/fetch/pom.xml \
        org.apache.maven.plugins:maven-dependency-plugin:3.7.0:copy-dependencies \
        -DexcludeTransitive=true -DoutputDirectory="$PWD/$folder" >out/fetch/log 2>&1 ||
        die "Maven could not fetch the artifacts: see out/fetch/log"
    sha256sum --check --status <<<"$sums" 2>/dev/null ||
        die "an artifact is missing or has another SHA-256 than $ARTIFACTS says:" \
            "$(sha256sum --check --quiet <<<"$sums" 2>&1 | head --lines=1)"
    remove_others "$folder" "$wanted"
    chmod +x "$folder"/*.exe
}

# remove_others FOLDER LINES: removes what is not the first word of a line.
remove_others() {
    (cd "$1" && find . -type f -printf '%P\n' |
        awk 'NR == FNR { wanted[$1] = 1; next } !($1 in wanted)' <(say "$2") - | xargs --no-run-if-empty rm)
}

# Writes a project that depends on the artifacts of standard input.
write_fetch_pom() {
    say '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
    say '<groupId>lvms</groupId><artifactId>fetch</artifactId><version>1</version><dependencies>'
    awk '{
        n = split($NF, c, ":")
        print "<dependency><groupId>" c[1] "</groupId><artifactId>" c[2] "</artifactId><version>" c[3] "</version>" \
            (n > 3 ? "<classifier>" c[4] "</classifier><type>" c[5] "</type>" : "") "</dependency>"
    }'
    say '</dependencies></project>'
}

## audit      print the dependency tree: version, size, licence and SHA-256 of each file, in the image or not
target_audit() {
    target_deps
    local file sha use licence needed coordinates
    while read -r file sha use _ licence needed coordinates; do
        say "$needed $(cut --delimiter=: --fields=2,3 --output-delimiter=' ' <<<"$coordinates")" \
            "$(stat --format=%s "out/deps/$file") $licence $use $sha"
    done < <(artifacts all) >out/audit
    {
        say "FILE VERSION BYTES LICENCE USE IN-IMAGE SHA-256"
        audit_tree lvms.proto
        audit_tree tests
        audit_tree build.sh
    } | column --table | tr '~' ' '
    say ""
    say "USE: image = a module of the runtime image; compile = annotations that javac reads; unused = brought along,"
    say "needed by nothing; test and tool = on the build machine alone. A file stands below the one that needs it."
    say "Programs are for $THIS_PLATFORM; artifacts.tsv pins them for $(pinned_platforms)."
    say "In the image: $(awk '$6 == "image" { n++; bytes += $4 } END { print n " files, " bytes " bytes" }' out/audit)"
}

# audit_tree NAME: the name, and below it what it needs.
audit_tree() {
    awk -v root="$1" '
        { child[$1] = child[$1] " " NR; for (i = 1; i <= NF; i++) cell[NR, i] = $i }
        function rows(parent, indent,    kids, n, i, r) {
            n = split(child[parent], kids, " ")
            for (i = 1; i <= n; i++) {
                r = kids[i]
                print indent cell[r, 2], cell[r, 3], cell[r, 4], cell[r, 5], cell[r, 6], \
                    (cell[r, 6] == "image" ? "yes" : "no"), cell[r, 7]
                rows(cell[r, 2], indent "~~")
            }
        }
        END { print root, "-", "-", "-", "-", "-", "-"; rows(root, "~~") }' out/audit
}
