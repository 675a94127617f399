package lvms.operator.page;

import lvms.api.finding.Finding;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Findings, worst first. Those with one cure stand together: a node that is lost is found once for
 * each of its volumes, and what else is wrong must not drown in that.
 *
 * @param findings in any order
 */
record FindingList(List<Finding> findings) {
    /** How many of a kind are shown before the rest is folded. */
    private static final int SHOWN = 3;

    private record Kind(Finding.Severity severity, String cure) {}

    FindingList {
        findings = findings.stream().sorted(Comparator.comparing(Finding::severity)).toList();
    }

    void write(Html html) {
        var kinds = new LinkedHashMap<Kind, List<Finding>>();
        for (var finding : findings) {
            var kind = new Kind(finding.severity(), finding.cure());
            kinds.computeIfAbsent(kind, _ -> new ArrayList<>()).add(finding);
        }
        kinds.forEach((kind, same) -> write(html, kind, same));
    }

    private static void write(Html html, Kind kind, List<Finding> same) {
        var severity = kind.severity().text();
        html.begin("div", "class", "finding " + severity);
        same.stream().limit(SHOWN).forEach(finding -> line(html, finding));
        if (same.size() > SHOWN) {
            html.begin("details");
            html.element("summary", same.size() - SHOWN + " more like these");
            same.stream().skip(SHOWN).forEach(finding -> line(html, finding));
            html.end("details");
        }
        html.element("p", "What to do: " + kind.cure()).markup("</div>\n");
    }

    private static void line(Html html, Finding finding) {
        html.markup("<p>").element("b", finding.severity().text());
        html.text(" " + finding.subject() + ": " + finding.text()).markup("</p>");
    }
}
