# Makes the pages of docs/ that the sources decide. Part of build.sh.

## docs       write docs/reference.md and the tables of docs/safety.md and docs/k8s.md from the sources
target_docs() {
    compile unit/docs
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --class-path "$(class_path unit/docs)" \
        lvms.tests.docs.Reference
}
