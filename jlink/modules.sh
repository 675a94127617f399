# Gives the jars of others module descriptors, since jlink takes no automatic modules. Part of build.sh.

# Copies the jars of the image to out/modules, each with a module descriptor. javac with -Werror refuses
# automatic modules, and jlink does so always.
modularize() {
    local stamp=out/modules.stamp
    target_deps
    if up_to_date $stamp jlink/descriptors jlink/unneeded.txt "$ARTIFACTS" jlink/modules.sh; then return 0; fi
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
    made "$stamp"
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

# Native libraries stay out: the image carries the one that it needs as a file, since its root is read-only. So do the
# folders of unneeded.txt, to whose classes nothing of ours leads.
add_descriptor() {
    local file=$1 module=$2 dir=out/unpacked/$2
    mkdir --parents "$dir"
    (cd "$dir" && "$JDK/bin/jar" --extract --file "../../deps/$file")
    rm --recursive --force "$dir"/META-INF/{versions,native,maven,MANIFEST.MF}
    sed --quiet "s|^$module ||p" jlink/unneeded.txt | (cd "$dir" && xargs --no-run-if-empty rm --recursive)
    cp "out/descriptors/$module/module-info.class" "$dir"
    make_jar "$dir" "out/modules/$file"
}

# make_jar FOLDER JAR [jar options]: a jar whose bytes depend on the folder's content alone.
make_jar() { pack_jar "$@" --no-compress; }

# The same, compressed: another JDK may compress otherwise.
pack_jar() {
    local dir=$1 jar
    jar=$(realpath "$2")
    shift 2
    (cd "$dir" && find . -type f -printf '%P\n' | sort >"$jar.files" &&
        "$JDK/bin/jar" --create --file "$jar" --date "$JAR_DATE" "$@" @"$jar.files")
    rm "$jar.files"
}
