# What can be shown here of a build on a machine of another architecture, by QEMU's user mode: that protoc for it writes
# the same sources, and that the classes compiled here do the same on a JVM for it. Part of build.sh.

# test_on_jvm ARCHITECTURE: runs the unit classes of tests/machine/classes there.
test_on_jvm() {
    local missing jvm
    image_for "$1"
    oci_debian_layer debian
    missing=$(as_image true 2>&1 || emulation_missing)
    [ -z "$missing" ] || die "test: $missing"
    compile_tests runner unit/lvms.api unit/lvms.k8s unit/lvms.lvm2 unit/lvms.node unit/lvms.operator
    same_sources
    jvm=out/jvm-$ARCHITECTURE-$(basename "$(dirname "$JMODS")")
    link_jvm "$jvm"
    say "unit classes on $(as_image "$jvm/bin/java" --version | tail --lines=1)"
    as_image "$jvm/bin/java" -XX:+UseSerialGC -Xmx1g -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
        --sun-misc-unsafe-memory-access=allow -Djava.util.logging.config.file=tests/logging.properties \
        --class-path "$(class_path "${TESTS[@]}")" lvms.tests.runner.Runner tests/machine/classes
}

# The sources of both are in out, to look at where they differ.
same_sources() {
    local platform tools folder=out/generated-$ARCHITECTURE
    platform=linux-$(netty_machine)
    tools=$(platform_tools "$platform")
    generate "$tools" "$folder" as_image
    diff --recursive --brief out/generated/lvms.proto "$folder" || die "test: protoc for $platform writes other sources"
    say "protoc for $platform writes the same $(find "$folder" -type f | wc --lines) sources"
}

# link_jvm FOLDER: all modules of the JDK that is pinned for the architecture. It appears whole or not at all.
link_jvm() {
    [ ! -d "$1" ] || return 0
    find_jdk
    rm --recursive --force "$1.new"
    "$JDK/bin/jlink" --module-path "$JMODS" --add-modules ALL-MODULE-PATH --output "$1.new"
    mv "$1.new" "$1"
}
