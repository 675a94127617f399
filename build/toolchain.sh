# Finds a JDK 25, fetches the pinned artifacts, and gives third-party jars their module descriptors.
# Part of build.sh.

JDK=

# Sets JDK to the home of a JDK 25, which is installed where apt has one and we may.
find_jdk() {
    [ -z "$JDK" ] || return 0
    local home
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
        if is_jdk_25 "$home"; then
            JDK=$home
            return 0
        fi
    done
    if [ "$(id --user)" = 0 ] && apt-cache show openjdk-25-jdk-headless >/dev/null 2>&1; then
        install_packages openjdk-25-jdk-headless
        JDK=$(echo /usr/lib/jvm/java-25-openjdk-*)
        is_jdk_25 "$JDK" && return 0
    fi
    die "no JDK 25 in JAVA_HOME or /usr/lib/jvm: install one, such as Eclipse Temurin, and set JAVA_HOME"
}

is_jdk_25() {
    [ -x "$1/bin/jlink" ] && grep --quiet '^JAVA_VERSION="25[."]' "$1/release" 2>/dev/null
}

# Installs the Debian packages that are missing, and says so.
install_packages() {
    local missing=() package
    for package in "$@"; do
        dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep --quiet 'ok installed' ||
            missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || die "missing: ${missing[*]} (there is no apt here: install them by hand)"
    [ "$(id --user)" = 0 ] || die "missing Debian packages: ${missing[*]} (run as root, or: apt-get install ${missing[*]})"
    say "installing Debian packages: ${missing[*]}"
    apt-get update --quiet=2 >/dev/null 2>&1 || true
    DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}" \
        >out/apt.log 2>&1 || die "apt-get could not install ${missing[*]}: see out/apt.log"
}

# Prints the artifacts of the given uses, one a line: file sha256 use module licence needed-by coordinates
artifacts() {
    awk -v uses=" $* " -F '\t' '!/^#/ && (uses == "  " || index(uses, " " $3 " ")) {
        n = split($1, c, ":")
        print c[2] "-" c[3] (n > 3 ? "-" c[4] "." c[5] : ".jar"), $2, $3, $4, $5, $6, $1
    }' "$ARTIFACTS"
}

## deps       fetch the pinned artifacts with Maven and check their SHA-256
target_deps() {
    if artifacts_present; then return 0; fi
    [ "$(uname -m)" = x86_64 ] || say "note: build/artifacts.tsv pins protoc for linux-x86_64 alone; add yours"
    command -v mvn >/dev/null || install_packages maven
    mkdir --parents out/deps out/maven
    write_fetch_pom >out/maven/pom.xml
    find_jdk
    say "fetching $(artifacts | wc --lines) artifacts"
    JAVA_HOME=$JDK mvn --batch-mode --quiet --file out/maven/pom.xml \
        org.apache.maven.plugins:maven-dependency-plugin:3.7.0:copy-dependencies \
        -DexcludeTransitive=true -DoutputDirectory="$PWD/out/deps" >out/maven/log 2>&1 ||
        die "Maven could not fetch the artifacts: see out/maven/log"
    artifacts_present || die "an artifact is missing or has another SHA-256 than $ARTIFACTS says: $(first_bad_artifact)"
    chmod +x out/deps/*.exe
}

artifacts_present() { artifact_sums | sha256sum --check --status 2>/dev/null; }

artifact_sums() { artifacts | awk '{ print $2 "  out/deps/" $1 }'; }

first_bad_artifact() { artifact_sums | sha256sum --check --quiet 2>&1 | head --lines=1; }

write_fetch_pom() {
    say '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
    say '<groupId>lvms</groupId><artifactId>fetch</artifactId><version>1</version><dependencies>'
    awk -F '\t' '!/^#/ {
        n = split($1, c, ":")
        print "<dependency><groupId>" c[1] "</groupId><artifactId>" c[2] "</artifactId><version>" c[3] "</version>" \
            (n > 3 ? "<classifier>" c[4] "</classifier><type>" c[5] "</type>" : "") "</dependency>"
    }' "$ARTIFACTS"
    say '</dependencies></project>'
}

# Copies the jars of the image to out/modules, each with a module descriptor. javac with -Werror refuses
# automatic modules, and jlink does so always.
modularize() {
    local stamp=out/modules.stamp
    target_deps
    if up_to_date $stamp jlink/descriptors "$ARTIFACTS" build/toolchain.sh; then return 0; fi
    find_jdk
    rm --recursive --force out/modules out/descriptors out/unpacked
    mkdir --parents out/modules out/descriptors out/unpacked
    compile_descriptors
    local file module
    while read -r file _ _ module _; do
        if [ -e "jlink/descriptors/$module" ]; then
            add_descriptor "$file" "$module"
        else
            cp "out/deps/$file" "out/modules/$file"
        fi
    done < <(artifacts image compile)
    rm --recursive --force out/unpacked
    touch $stamp
}

compile_descriptors() {
    local patches=() file module
    while read -r file _ _ module _; do
        if [ -e "jlink/descriptors/$module" ]; then patches+=(--patch-module "$module=out/deps/$file"); fi
    done < <(artifacts image)
    local plain=out/unpacked/plain
    mkdir --parents $plain
    while read -r file _ _ module _; do
        if [ "$module" != - ] && [ ! -e "jlink/descriptors/$module" ]; then cp "out/deps/$file" $plain; fi
    done < <(artifacts image compile)
    "$JDK/bin/javac" --release 25 -d out/descriptors --module-source-path jlink/descriptors \
        --module-path $plain "${patches[@]}" jlink/descriptors/*/module-info.java
}

# Native libraries stay out: the image carries the one that it needs as a file, since its root is read-only.
add_descriptor() {
    local file=$1 module=$2 dir=out/unpacked/$2
    mkdir --parents "$dir"
    (cd "$dir" && "$JDK/bin/jar" --extract --file "../../deps/$file")
    rm --recursive --force "$dir/META-INF/versions" "$dir/META-INF/native" "$dir/META-INF/maven" "$dir/META-INF/MANIFEST.MF"
    cp "out/descriptors/$module/module-info.class" "$dir"
    make_jar "$dir" "out/modules/$file"
}

# make_jar FOLDER JAR [jar options]: a jar whose bytes depend on the folder's content alone.
make_jar() {
    local dir=$1 jar
    jar=$(realpath "$2")
    shift 2
    (cd "$dir" && find . -type f -printf '%P\n' | sort >"$jar.files" &&
        "$JDK/bin/jar" --create --file "$jar" --date "$JAR_DATE" --no-compress "$@" @"$jar.files")
    rm "$jar.files"
}

# up_to_date STAMP PATH...: whether nothing under the paths is newer than the stamp.
up_to_date() {
    local stamp=$1
    shift
    [ -e "$stamp" ] && [ -z "$(find "$@" -newer "$stamp" -print -quit 2>/dev/null)" ]
}

## audit      print the dependency tree: version, size, licence and SHA-256 of each file, in the image or not
target_audit() {
    target_deps
    local file sha use licence needed coordinates
    while read -r file sha use _ licence needed coordinates; do
        say "$needed $(cut --delimiter=: --fields=2,3 --output-delimiter=' ' <<<"$coordinates")" \
            "$(stat --format=%s "out/deps/$file") $licence $use $sha"
    done < <(artifacts) >out/audit
    {
        say "FILE VERSION BYTES LICENCE USE IN-IMAGE SHA-256"
        audit_tree lvms.proto
        audit_tree tests
        audit_tree build.sh
    } | column --table | tr '~' ' '
    say ""
    say "USE: image = a module of the runtime image; compile = annotations that javac reads; unused = brought along,"
    say "needed by nothing; test and tool = on the build machine alone. A file stands below the one that needs it."
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
