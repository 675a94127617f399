# Generates the protobuf code, compiles our modules and packs them as jars. Part of build.sh.

# Our modules: the folder of each, beside its name.
modules() {
    local info
    for info in lvms.*/module-info.java; do dirname "$info"; done
    say lvms
}

source_folders() {
    local info
    for info in lvms.*/module-info.java src/module-info.java; do dirname "$info"; done
}

## proto      generate and compile the protobuf code
target_proto() {
    local stamp=out/proto.stamp
    modularize
    if up_to_date $stamp proto out/modules.stamp; then return 0; fi
    find_jdk
    rm --recursive --force out/generated out/classes/lvms.proto
    mkdir --parents out/generated/lvms.proto out/classes/lvms.proto
    local protoc plugin include=out/unpacked/include
    protoc=$(echo out/deps/protoc-[0-9]*.exe)
    plugin=$(echo out/deps/protoc-gen-grpc-java-*.exe)
    mkdir --parents $include
    (cd $include && "$JDK/bin/jar" --extract --file ../../deps/protobuf-java-[0-9]*.jar google)
    "$protoc" --plugin=protoc-gen-grpc-java="$plugin" --proto_path=proto --proto_path=$include \
        --java_out=out/generated/lvms.proto --grpc-java_out=@generated=omit:out/generated/lvms.proto proto/*/*.proto
    rm --recursive --force $include
    "$JDK/bin/javac" --release 25 -nowarn -d out/classes/lvms.proto --module-path out/modules \
        proto/module-info.java $(find out/generated/lvms.proto -name '*.java') 2>out/proto.log ||
        { cat out/proto.log >&2 && die "the generated code does not compile"; }
    touch $stamp
}

## compile    compile our modules with every lint, warnings as errors
target_compile() {
    local stamp=out/compile.stamp folders
    target_proto
    folders=$(source_folders)
    # shellcheck disable=SC2086
    if up_to_date $stamp $folders out/proto.stamp; then return 0; fi
    find_jdk
    find out/classes -mindepth 1 -maxdepth 1 ! -name lvms.proto -exec rm --recursive --force {} +
    "$JDK/bin/javac" --release 25 -Xlint:all -Werror -Xdoclint:all,-missing -d out/classes \
        --module-source-path . --module-source-path lvms=src --module-path out/modules:out/classes/lvms.proto \
        --add-modules com.google.errorprone.annotations --module "$(modules | paste --serial --delimiters=,)"
    copy_resources
    touch $stamp
}

copy_resources() {
    local folder module
    for folder in $(source_folders); do
        module=${folder/#src/lvms}
        (cd "$folder" && find . -type f ! -name '*.java' -exec cp --parents {} "$OLDPWD/out/classes/$module/" \;)
    done
}

## jars       pack our modules; the same sources give the same bytes
target_jars() {
    local stamp=out/jars.stamp module
    target_compile
    if up_to_date $stamp out/compile.stamp out/proto.stamp; then return 0; fi
    find_jdk
    rm --recursive --force out/jars
    mkdir --parents out/jars
    for module in lvms.proto $(modules); do
        make_jar "out/classes/$module" "out/jars/$module.jar" --module-version "$VERSION"
    done
    touch $stamp
}

## lint       check formatting, columns, javadoc that says nothing, and the shell scripts
target_lint() {
    target_deps
    find_jdk
    local unformatted
    touch out/formatted.next
    unformatted=$(format_java --dry-run)
    [ -z "$unformatted" ] || die "not formatted (./build.sh fmt mends it):"$'\n'"$unformatted"
    mv out/formatted.next out/formatted.stamp
    git ls-files --cached --others --exclude-standard |
        "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 build/Lint.java || die "lint: mend the lines above"
    install_packages shellcheck
    # shellcheck disable=SC2046
    shellcheck --shell=bash --exclude=SC1091,SC2034,SC2046 build.sh $(git ls-files '*.sh' .ci/run deploy/plugin)
}

## fmt        format the Java sources
target_fmt() {
    target_deps
    find_jdk
    format_java --replace
}

# Only the files that changed since all were found to be formatted: the formatter takes a second for each thirty.
format_java() {
    local since=()
    if [ out/formatted.stamp -nt "$ARTIFACTS" ]; then since=(-newer out/formatted.stamp); fi
    # shellcheck disable=SC2046
    find $(git ls-files --cached --others --exclude-standard '*.java') "${since[@]}" -print0 |
        xargs --null --no-run-if-empty \
        "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar out/deps/google-java-format-*.jar --aosp "$@" 2>&1
}

# compile_program NAME [CLASS-PATH]: a program of the build, build/NAME/lvms/NAME, into out/NAME-classes.
compile_program() {
    local name=$1 path=${2:-} stamp=out/$1.stamp
    # shellcheck disable=SC2086
    if up_to_date "$stamp" "build/$name" ${path//:/ }; then return 0; fi
    find_jdk
    rm --recursive --force "out/$name-classes"
    "$JDK/bin/javac" --release 25 -Xlint:all -Werror -Xdoclint:all,-missing -d "out/$name-classes" \
        --class-path "$path" "build/$name/lvms/$name"/*.java
    touch "$stamp"
}
