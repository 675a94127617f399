package lvms.operator.cluster;

import lvms.operator.resize.ClaimConditionTable;
import lvms.tests.docs.Table;

/** Every condition of an LVMCluster. */
public final class ConditionSection {
    private ConditionSection() {}

    /** Returns the section of the reference. */
    public static String text() {
        var table = new Table("type", "status", "reason", "status.state", "meaning");
        for (var reason : ConditionReason.values()) {
            table.row(
                    Table.code(reason.type()),
                    reason.holds() ? "True" : "False",
                    Table.code(reason.text()),
                    reason.state().text(),
                    reason.meaning());
        }
        return "## Conditions\n\n"
                + "Of an LVMCluster. `status.state` is the worst of the states that the"
                + " conditions lead to;\n"
                + "`status.ready` says whether it is `Ready`.\n\n"
                + table
                + "\nOf a PersistentVolumeClaim while its volume grows:\n\n"
                + ClaimConditionTable.table();
    }
}
