# Makes a Maven repository of the modules that other programs may take. Part of build.sh.

readonly MAVEN=out/maven
# The libraries, each after those that it requires.
readonly LIBRARIES="lvms.lvm2 lvms.k8s lvms.k8s.testkit lvms.api lvms.proto lvms.csi"
# What is packed, by library: classes, sources, javadoc.
readonly LIBRARY_FILES=out/libraries

## maven      write a Maven repository of the libraries, with sources and javadoc, to out/maven (docs/libraries.md)
target_maven() {
    local stamp=out/maven.stamp module states=()
    # shellcheck disable=SC2086
    compile $LIBRARIES
    for module in $LIBRARIES; do states+=("$(state_of "$module")"); done
    if up_to_date $stamp "${states[@]}" LICENSE build jlink/modules.sh; then return 0; fi
    find_jdk
    rm --recursive --force $MAVEN $LIBRARY_FILES
    for module in $LIBRARIES; do
        say "packing $module"
        library_classes "$module"
        library_sources "$module"
        library_javadoc "$module"
    done
    maven_documents bills
    for module in $LIBRARIES; do
        library_jars "$module"
    done
    maven_documents repository
    maven_sums
    made "$stamp"
}

# Prints in one line why the tests cannot run Maven on this machine; nothing if they can.
maven_missing() {
    if ! command -v mvn >/dev/null && { [ "$(id --user)" != 0 ] || ! command -v apt-get >/dev/null; }; then
        say "the examples are built by Maven, and there is none here: install mvn"
    fi
}

library_classes() {
    local module=$1
    mkdir --parents "$LIBRARY_FILES/$module"
    cp --recursive "$(classes_of "$module")" "$LIBRARY_FILES/$module/classes"
}

library_sources() {
    local module=$1 sources=$LIBRARY_FILES/$1/sources
    cp --recursive "$(folder_of "$module")" "$sources"
    if [ -e "out/generated/$module" ]; then cp --recursive "out/generated/$module/." "$sources"; fi
}

# What protoc writes into the comments of its code is not checked.
library_javadoc() {
    local module=$1 checks=-Xdoclint:all,-missing
    if [ -e "out/generated/$module" ]; then checks=-Xdoclint:none; fi
    "$JDK/bin/javadoc" -quiet -Werror $checks -notimestamp --no-fonts --release 25 \
        -windowtitle "$module $VERSION" -doctitle "$module $VERSION" -d "$LIBRARY_FILES/$module/javadoc" \
        --module-source-path "$module=$LIBRARY_FILES/$module/sources" \
        --module-path out/modules:out/classes:out/test-modules --module "$module" ||
        die "the javadoc of $module has a defect: see above"
}

# Packs as make_jar does, with the licence and the bill of materials in each jar.
library_jars() {
    local module=$1 files=$LIBRARY_FILES/$1 folder=$MAVEN/lvms/$1/$VERSION part
    mkdir --parents "$folder"
    for part in classes sources javadoc; do
        mkdir --parents "$files/$part/META-INF"
        cp LICENSE "$files/bill.cdx.json" "$files/$part/META-INF"
    done
    make_jar "$files/classes" "$folder/$module-$VERSION.jar" --module-version "$VERSION"
    make_jar "$files/sources" "$folder/$module-$VERSION-sources.jar"
    pack_jar "$files/javadoc" "$folder/$module-$VERSION-javadoc.jar"
}

# maven_documents bills|repository
maven_documents() {
    # shellcheck disable=SC2086
    "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 build/MavenDocuments.java "$1" version="$VERSION" \
        files=$LIBRARY_FILES repository=$MAVEN date="$JAR_DATE" artifacts="$ARTIFACTS" $LIBRARIES
}

# Maven checks the first two; people and other tools use the last.
maven_sums() {
    local files file kind
    mapfile -t files < <(find $MAVEN -type f)
    for file in "${files[@]}"; do
        for kind in md5 sha1 sha256; do
            "${kind}sum" <"$file" | cut --delimiter=' ' --fields=1 >"$file.$kind"
        done
    done
}
