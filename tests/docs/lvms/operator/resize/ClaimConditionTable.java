package lvms.operator.resize;

import lvms.tests.docs.Table;

/** The conditions that growing sets on a claim. */
public final class ClaimConditionTable {
    private ClaimConditionTable() {}

    /** Returns the table for the reference. */
    public static Table table() {
        var table = new Table("type", "while it holds");
        for (var condition : ResizeCondition.values()) {
            table.row(Table.code(condition.type()), condition.meaning());
        }
        return table;
    }
}
