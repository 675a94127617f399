# Compiles and runs the tests. Part of build.sh.

readonly LAYERS="unit integration image lab"

test_class_path() {
    local module path=out/test-classes
    for module in lvms.proto $(modules); do path+=:out/classes/$module; done
    say "$path$(printf ':%s' out/modules/*.jar)$(artifacts test tool | awk '/[.]jar / && !/all-deps/ { printf ":out/deps/%s", $1 }')"
}

compile_tests() {
    local stamp=out/tests.stamp
    target_compile
    if up_to_date $stamp tests out/compile.stamp; then return 0; fi
    find_jdk
    rm --recursive --force out/test-classes
    mkdir --parents out/test-classes
    # The class path sees package-private members of the code under test; module descriptors do not count there.
    # shellcheck disable=SC2046
    "$JDK/bin/javac" --release 25 -Xlint:all,-exports,-requires-automatic -Werror -d out/test-classes \
        --class-path "$(test_class_path)" $(find tests -name '*.java' ! -name module-info.java)
    (cd tests && find . -path '*/resources/*' -type f -exec cp --parents {} ../out/test-classes/ \;)
    touch $stamp
}

# Names of the test classes of a layer.
test_classes() {
    find "tests/$1" -name '*Tests.java' 2>/dev/null | sort | while read -r file; do
        say "$(sed --quiet 's/^package \(.*\);$/\1/p' "$file").$(basename "$file" .java)"
    done
}

## test       run the tests: [--full] [--layer unit|integration|image|lab] [part of a class name]...
target_test() {
    local layers=$LAYERS full=false patterns=()
    while [ $# -gt 0 ]; do
        case "$1" in
        --full) full=true ;;
        --layer)
            layers=${2:?--layer needs a name: $LAYERS}
            shift
            ;;
        -*) die "test: unknown option $1" ;;
        *) patterns+=("$1") ;;
        esac
        shift
    done
    compile_tests
    case " $layers " in *" image "* | *" lab "*) target_image ;; esac
    if declare -F lab_prepare >/dev/null && [[ " $layers " == *" lab "* ]] && [ "$(id --user)" = 0 ]; then lab_prepare; fi
    local layer
    mkdir --parents out/test-reports
    for layer in $layers; do
        test_classes "$layer" | sed "s/^/$layer /"
    done >out/test-reports/classes
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -Xmx1g -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
        --sun-misc-unsafe-memory-access=allow -Dlvms.full="$full" -Dlvms.cache="$CACHE" -Dlvms.image="$PWD/out/image" \
        -Djava.util.logging.config.file=tests/logging.properties \
        --class-path "$(test_class_path)" lvms.tests.runner.Runner out/test-reports/classes "${patterns[@]}"
}
