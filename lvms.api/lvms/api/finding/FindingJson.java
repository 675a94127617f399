package lvms.api.finding;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Locale;

/** Findings as {@code lvms doctor -o json} prints them, and back. */
public final class FindingJson {
    private FindingJson() {}

    public static ListTree of(List<Finding> findings) {
        return ListTree.of(findings.stream().map(FindingJson::object).toList());
    }

    private static ObjectTree object(Finding finding) {
        var json = ObjectTree.builder();
        json.put("severity", finding.severity().text());
        json.put("subject", finding.subject());
        json.put("finding", finding.text());
        json.put("cure", finding.cure());
        return json.build();
    }

    /** Reads one; a severity of another version counts as an error. */
    public static Finding read(ObjectTree json) {
        return new Finding(
                severity(json.text("severity").orElse("")),
                json.text("subject").orElse(""),
                json.text("finding").orElse(""),
                json.text("cure").orElse(""));
    }

    private static Finding.Severity severity(String word) {
        for (var severity : Finding.Severity.values()) {
            if (severity.name().equals(word.toUpperCase(Locale.ROOT))) {
                return severity;
            }
        }
        return Finding.Severity.ERROR;
    }
}
