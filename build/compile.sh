# Compiles our modules, the programs of the build and the tests, each tree of sources by itself. Part of build.sh.
#
# A tree is what one call of javac compiles: a module, named as such; a program of the build, build/NAME; or a folder
# of tests, named as it is below tests/. Modules say in module-info.java what they need, the others in build/trees.
#
# A tree is compiled again if its key has changed: a hash of its files, of how it is compiled, and of the fingerprints
# of all that it needs. A fingerprint (build/Fingerprint.java) is what javac sees of a tree: from a module, what is
# exported; from the class path, all but private members and bodies of methods. The times of files do not count.
# out/trees/TREE.state has three lines: the key, and both fingerprints. It is removed before classes are replaced and
# written after it, so what was cut is compiled again.

readonly TREES=out/trees
# What each tree says that it needs; all that this leads to, in order; and the number of steps that this takes.
declare -A NEEDS=() ALL_NEEDS=() LEVEL=()

# Our modules: the name of each, those of the image.
modules() {
    local info
    for info in lvms.*/module-info.java; do dirname "$info"; done
    say lvms
}

# folder_of TREE: where its sources are.
folder_of() {
    case $1 in
    lvms) say src ;;
    lvms.proto) say proto ;;
    lvms.*.testkit) say "tests/$1" ;;
    lvms.* | build/*) say "$1" ;;
    *) say "tests/$1" ;;
    esac
}

# classes_of TREE: where its classes are.
classes_of() {
    case $1 in
    lvms.*.testkit) say "out/test-modules/$1" ;;
    lvms | lvms.*) say "out/classes/$1" ;;
    build/*) say "out/${1#build/}-classes" ;;
    *) say "out/test-classes/$1" ;;
    esac
}

is_module() { [[ $1 == lvms || $1 == lvms.* ]]; }

# Reads what each tree needs: lines "TREE: TREE...".
load_trees() {
    local tree needs
    [ ${#NEEDS[@]} = 0 ] || return 0
    while IFS=: read -r tree needs; do
        NEEDS[$tree]=${NEEDS[$tree]:-}$needs
    done < <(
        awk '$1 == "module" { if (module) print module ":" needs; module = $2; needs = "" }
            $1 == "requires" && $NF ~ /^lvms/ { sub(/;/, "", $NF); needs = needs " " $NF }
            END { print module ":" needs }' $(find . -mindepth 2 -maxdepth 3 -name module-info.java \
            '(' -path './lvms.*' -o -path './src/*' -o -path './proto/*' -o -path './tests/lvms.*' ')')
        sed '/^#/d; /^$/d' build/trees
    )
}

# know TREE: fills ALL_NEEDS and LEVEL for it.
know() {
    local tree=$1 need other level=0 all=''
    load_trees
    case ${LEVEL[$tree]:-} in
    '') ;;
    open) die "build/trees: $tree needs itself" ;;
    *) return 0 ;;
    esac
    [ -n "${NEEDS[$tree]+known}" ] || die "there are no sources named $tree: module-info.java and build/trees name all"
    LEVEL[$tree]=open
    for need in ${NEEDS[$tree]}; do
        know "$need"
        if [ "${LEVEL[$need]}" -ge $level ]; then level=$((LEVEL[$need] + 1)); fi
        for other in ${ALL_NEEDS[$need]} $need; do
            [[ " $all " == *" $other "* ]] || all+=" $other"
        done
    done
    ALL_NEEDS[$tree]=$all
    LEVEL[$tree]=$level
}

# with_needs TREE...: sets WITH_NEEDS to them and all that they need, each after what it needs.
with_needs() {
    local tree other all=''
    for tree in "$@"; do
        know "$tree"
        for other in ${ALL_NEEDS[$tree]} $tree; do
            [[ " $all " == *" $other "* ]] || all+=" $other"
        done
    done
    read -r -a WITH_NEEDS <<<"$all"
}

# class_path TREE...: prints the class path of them and all that they need.
class_path() {
    local tree path='' jar
    with_needs "$@"
    for tree in "${WITH_NEEDS[@]}"; do path+=:$(classes_of "$tree"); done
    for jar in $(third_party_jars); do path+=:$jar; done
    say "${path#:}"
}

# What others made, for class paths. Last comes the original jar of gRPC's transport, since ours has no native library.
third_party_jars() {
    ls out/modules/*.jar
    artifacts test tool | awk '/[.]jar / && !/all-deps/ { print "out/deps/" $1 }'
    ls out/deps/grpc-netty-shaded-*.jar
}

# inputs_of TREE: the files that its classes and resources are made of, ended by zeros.
inputs_of() {
    local folder
    folder=$(folder_of "$1")
    if is_module "$1"; then
        find "$folder" -type f -print0
    else
        find "$folder" -path tests/bench/fabric8 -prune -o \
            -type f '(' -name '*.java' -o -path '*/resources/*' ')' -print0
    fi | sort --zero-terminated
}

state_of() { say "$TREES/$1.state"; }

# key_of TREE: prints its key; all that it needs is compiled.
key_of() {
    local need states=() line=2
    is_module "$1" || line=3
    for need in ${ALL_NEEDS[$1]}; do states+=("$(state_of "$need")"); done
    {
        inputs_of "$1" | xargs --null sha256sum
        say "$BASIS"
        [ ${#states[@]} = 0 ] || awk -v line=$line 'FNR == line { print FILENAME, $0 }' "${states[@]}"
    } | sha256sum
}

# What the keys of all trees have in common: the JDK, the jars of others, and how it is done.
basis() {
    {
        cat "$JDK/release" out/modules.stamp
        declare -f compile_tree compile_module compile_classes run_javac generate copy_resources
        cat out/fingerprint.stamp
    } | sha256sum
}

# compile TREE...: compiles them and all that they need, side by side where none needs the other.
compile() {
    local BASIS WITH_NEEDS turn tree left level=0 stale=() compiled=()
    modularize
    find_jdk
    mkdir --parents $TREES
    # Two builds in one folder take turns.
    exec {turn}>$TREES/lock
    if command -v flock >/dev/null; then flock $turn; fi
    compile_fingerprint
    BASIS=$(basis)
    with_needs "$@"
    left=("${WITH_NEEDS[@]}")
    while [ ${#left[@]} -gt 0 ]; do
        local later=()
        stale=()
        for tree in "${left[@]}"; do
            if [ "${LEVEL[$tree]}" -gt $level ]; then
                later+=("$tree")
            elif [ "$(head --lines=1 "$(state_of "$tree")" 2>/dev/null)" != "$(key_of "$tree")" ]; then
                stale+=("$tree")
            fi
        done
        compile_side_by_side "${stale[@]}"
        compiled+=("${stale[@]}")
        left=("${later[@]}")
        level=$((level + 1))
    done
    exec {turn}>&-
    [ ${#compiled[@]} = 0 ] || say "compiled ${compiled[*]}"
}

# The output of a tree that does not compile is shown whole, and each of the others ends.
compile_side_by_side() {
    local tree running=0 failed=() jobs=()
    for tree in "$@"; do
        mkdir --parents "$(dirname "$(state_of "$tree")")"
        rm --force "$(state_of "$tree")"
        if [ $running -ge "$(nproc)" ]; then
            wait -n || true
            running=$((running - 1))
        fi
        compile_tree "$tree" >"$TREES/$tree.log" 2>&1 &
        jobs+=($!)
        running=$((running + 1))
    done
    [ ${#jobs[@]} = 0 ] || wait "${jobs[@]}" || true
    for tree in "$@"; do
        if [ ! -e "$(state_of "$tree")" ]; then
            cat "$TREES/$tree.log" >&2
            failed+=("$tree")
        fi
    done
    [ ${#failed[@]} = 0 ] || die "not compiled: ${failed[*]}"
}

# compile_tree TREE: into a new folder, which then takes the place of the old one.
compile_tree() {
    local tree=$1 key new=$TREES/$1.new classes
    key=$(key_of "$tree")
    classes=$(classes_of "$tree")
    rm --recursive --force "$new"
    mkdir --parents "$new" "$(dirname "$classes")"
    {
        if [ "$tree" = lvms.proto ]; then generate out/deps out/generated/lvms.proto; fi
    } && {
        if is_module "$tree"; then compile_module "$tree" "$new"; else compile_classes "$tree" "$new"; fi
    } && copy_resources "$tree" "$new" && rm --recursive --force "$classes" && mv "$new" "$classes" &&
        { say "$key" && fingerprints "$classes"; } >"$new.state" && mv "$new.state" "$(state_of "$tree")"
}

# fingerprints FOLDER: prints both of its classes.
fingerprints() {
    "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --class-path out/fingerprint-classes Fingerprint "$1"
}

compile_fingerprint() {
    local stamp=out/fingerprint.stamp
    if up_to_date $stamp build/Fingerprint.java "$JDK/release"; then return 0; fi
    rm --recursive --force out/fingerprint-classes
    "$JDK/bin/javac" -Xlint:all -Werror -d out/fingerprint-classes build/Fingerprint.java
    made $stamp
}

# generate TOOLS FOLDER [COMMAND...]: the protobuf code and that of gRPC. TOOLS is the folder of protoc and its plugin;
# COMMAND runs those of another machine.
generate() {
    local tools=$1 folder=$2 include=out/unpacked/include
    shift 2
    rm --recursive --force "$folder"
    mkdir --parents "$folder" $include
    (cd $include && "$JDK/bin/jar" --extract --file ../../deps/protobuf-java-[0-9]*.jar google) &&
        "$@" "$(echo "$tools"/protoc-[0-9]*.exe)" --proto_path=proto --proto_path=$include \
            --plugin=protoc-gen-grpc-java="$(echo "$tools"/protoc-gen-grpc-java-*.exe)" \
            --java_out="$folder" --grpc-java_out=@generated=omit:"$folder" proto/*/*.proto &&
        rm --recursive --force $include
}

# compile_module MODULE FOLDER
compile_module() {
    local tree need path=out/modules options=(-Xlint:all -Werror "-Xdoclint:all,-missing")
    for need in ${ALL_NEEDS[$1]}; do
        path+=:$(classes_of "$need")
        # gRPC's classes have annotations of this module.
        if [ "$need" = lvms.proto ]; then options+=(--add-modules com.google.errorprone.annotations); fi
    done
    if [ "$1" = lvms.proto ]; then options=(-nowarn); fi
    java_sources_of "$1" | run_javac "${options[@]}" -d "$2" --module-path "$path"
}

# compile_classes TREE FOLDER: on the class path, which sees package-private members of what is tested; module
# descriptors do not count there.
compile_classes() {
    local lint=all,-exports,-requires-automatic path
    # shellcheck disable=SC2086
    path=$(class_path ${ALL_NEEDS[$1]})
    java_sources_of "$1" | run_javac -Xlint:$lint -Werror -d "$2" --class-path "$path"
}

# java_sources_of TREE: ended by zeros.
java_sources_of() {
    inputs_of "$1" | grep --null-data '[.]java$'
    if [ "$1" = lvms.proto ]; then find out/generated/lvms.proto -name '*.java' -print0; fi
}

# run_javac OPTION...: compiles the files of standard input. With its first compiler alone the JVM is faster here.
run_javac() {
    "$JDK/bin/javac" -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 --release 25 -implicit:none "$@" \
        @<(xargs --null printf '"%s"\n')
}

copy_resources() {
    local from to file
    from=$(folder_of "$1")
    to=$(realpath "$2")
    while IFS= read -r -d '' file; do
        case $file in *.java | *.proto) continue ;; esac
        (cd "$from" && cp --parents "${file#"$from"/}" "$to")
    done < <(inputs_of "$1")
}

## compile    compile our modules with every lint, warnings as errors
target_compile() {
    # shellcheck disable=SC2046
    compile lvms.proto $(modules)
}

## proto      generate and compile the protobuf code
target_proto() { compile lvms.proto; }

## jars       pack our modules; the same sources give the same bytes
target_jars() {
    local stamp=out/jars.stamp module states=()
    target_compile
    for module in $(modules); do states+=("$(state_of "$module")"); done
    if up_to_date $stamp "$(state_of lvms.proto)" "${states[@]}"; then return 0; fi
    find_jdk
    rm --recursive --force out/jars
    mkdir --parents out/jars
    for module in lvms.proto $(modules); do
        make_jar "out/classes/$module" "out/jars/$module.jar" --module-version "$VERSION"
    done
    made $stamp
}

## lint       check formatting, columns, javadoc that says nothing, words that we do not use, and the shell scripts
##            where shellcheck is; --require-all: it has to be
target_lint() {
    target_deps
    find_jdk
    local unformatted
    unformatted=$(format_java --dry-run)
    [ -z "$unformatted" ] || die "not formatted (./build.sh fmt does it):"$'\n'"$unformatted"
    mv out/formatted.new out/formatted
    lint_texts || die "lint: change the lines above"
    if ! command -v shellcheck >/dev/null; then
        if can_install shellcheck; then
            install_packages shellcheck
        elif [ "${1:-}" = --require-all ]; then
            die "lint: shellcheck is missing"
        else
            say "lint: the shell scripts were not checked, since shellcheck is missing here"
            return 0
        fi
    fi
    # shellcheck disable=SC2046
    shellcheck --shell=bash --exclude=SC1091,SC2034,SC2046 build.sh $(git ls-files '*.sh' .ci/run deploy/plugin)
}

lint_texts() {
    git ls-files --cached --others --exclude-standard |
        "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 build/Lint.java "$@"
}

## fmt        format the Java sources, and write how many of the words of build/words.tsv are left
target_fmt() {
    target_deps
    find_jdk
    format_java --replace
    lint_texts --fmt
}

# Only files whose contents were not yet found to be formatted: the formatter takes a second for each thirty.
format_java() {
    local jar
    jar=$(echo out/deps/google-java-format-*.jar)
    touch out/formatted
    git ls-files --cached --others --exclude-standard -z '*.java' | xargs --null find 2>/dev/null |
        tr '\n' '\0' | xargs --null sha256sum "$jar" | sort >out/formatted.new
    if ! grep --quiet --fixed-strings --line-regexp "$(sha256sum "$jar")" out/formatted; then : >out/formatted; fi
    comm -23 out/formatted.new out/formatted | sed --quiet 's/^[0-9a-f]*  \(.*[.]java\)$/\1/p' | tr '\n' '\0' |
        xargs --null --no-run-if-empty \
            "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar "$jar" --aosp "$@" 2>&1
}
