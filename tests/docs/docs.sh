# Makes the pages of docs/ that the sources decide. Part of build.sh.

## docs       write docs/reference.md from the schemas, metrics, reasons and flags, and the table of docs/safety.md
target_docs() {
    compile_tests
    find_jdk
    "$JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --class-path "$(test_class_path)" lvms.tests.docs.Reference
}
