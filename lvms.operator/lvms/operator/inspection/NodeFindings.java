package lvms.operator.inspection;

import lvms.api.finding.Finding;
import lvms.api.finding.FindingJson;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.SortedMap;

/** What {@code lvms doctor --local -o=json} found on each node. Pure. */
public final class NodeFindings {
    private NodeFindings() {}

    /** Returns all findings; each subject names its node. */
    public static List<Finding> of(SortedMap<String, ObjectTree> byNode) {
        return byNode.entrySet().stream()
                .flatMap(
                        entry ->
                                entry.getValue().objects("findings").stream()
                                        .map(FindingJson::read)
                                        .map(finding -> on(entry.getKey(), finding)))
                .toList();
    }

    private static Finding on(String node, Finding found) {
        var subject = "node " + node + ", " + found.subject();
        return new Finding(found.severity(), subject, found.text(), found.cure());
    }
}
