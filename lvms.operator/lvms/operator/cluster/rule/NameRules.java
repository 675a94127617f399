package lvms.operator.cluster.rule;

/** Names that become part of a label value or of an annotation key. */
final class NameRules {
    private static final int MAX_LENGTH = 63; // label values, and annotation keys after the slash

    private NameRules() {}

    static void cluster(String name, Findings findings) {
        findings.errorIf(
                name.length() > MAX_LENGTH,
                "the name of an LVMCluster becomes a label value and may have at most "
                        + MAX_LENGTH
                        + " characters, not "
                        + name.length());
    }

    static void deviceClass(String name, Findings findings) {
        findings.errorIf(
                name.length() > MAX_LENGTH,
                "device class \""
                        + name
                        + "\": the name becomes part of an annotation and may have at most "
                        + MAX_LENGTH
                        + " characters, not "
                        + name.length());
    }
}
