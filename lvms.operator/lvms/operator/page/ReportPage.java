package lvms.operator.page;

import lvms.api.finding.Finding;
import lvms.operator.overview.Section;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * The report as one HTML page: it has its style, its drawings and nothing that runs, and asks
 * nobody for anything. Pure.
 *
 * @param made when the cluster was read
 * @param source who read it, such as {@code lvms 1.0, server https://...}
 * @param findings what is wrong
 * @param overall tables of clusters, programs, nodes and classes
 * @param nodes disks and pools of each node
 * @param volumes tables of volumes
 * @param gaps what is missing here, one line each
 */
record ReportPage(
        Instant made,
        String source,
        List<Finding> findings,
        List<Section> overall,
        List<NodePart> nodes,
        List<Section> volumes,
        List<String> gaps) {
    /** Browsers refuse all but the style of the page, should markup ever slip in. */
    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="Content-Security-Policy"
             content="default-src 'none'; style-src 'unsafe-inline'">
            <title>lvms report</title>
            <style>
            """;

    ReportPage {
        findings = List.copyOf(findings);
        overall = List.copyOf(overall);
        nodes = List.copyOf(nodes);
        volumes = List.copyOf(volumes);
        gaps = gaps.stream().filter(line -> !line.isEmpty()).distinct().toList();
    }

    /** Returns the text of its file. */
    String html() {
        var html = new Html();
        html.markup(HEAD).markup(Style.TEXT).markup(Colours.style());
        html.markup("</style>\n</head>\n<body>\n<header>\n<h1>lvms report</h1>\n");
        html.begin("p", "class", "soft");
        html.text("Made " + made.truncatedTo(ChronoUnit.SECONDS) + " by " + source);
        html.markup("</p>\n</header>\n");
        contents(html);
        html.markup("<main>\n");
        gaps(html);
        findings(html);
        sections(html, "cluster", "Cluster", overall);
        disks(html);
        pools(html);
        sections(html, "volumes", "Volumes", volumes);
        return html.markup("</main>\n</body>\n</html>\n").toString();
    }

    private static void contents(Html html) {
        html.markup("<nav aria-label=\"Parts of this page\"><ul>");
        for (var part : List.of("Findings", "Cluster", "Disks", "Pools", "Volumes")) {
            html.begin("li").begin("a", "href", "#" + part.toLowerCase(Locale.ROOT));
            html.text(part).markup("</a></li>");
        }
        html.markup("</ul></nav>\n");
    }

    private static void heading(Html html, String id, String text) {
        html.begin("h2", "id", id).text(text).markup("</h2>\n");
    }

    private void gaps(Html html) {
        if (!gaps.isEmpty()) {
            html.markup("<section class=\"gaps\">\n<h2>Not shown</h2>\n<ul>\n");
            gaps.forEach(line -> html.element("li", line).markup("\n"));
            html.markup("</ul>\n</section>\n");
        }
    }

    private void findings(Html html) {
        heading(html, "findings", "Findings");
        if (findings.isEmpty()) {
            html.element(
                    "p", gaps.isEmpty() ? "Nothing found." : "Nothing found in what is shown.");
        }
        new FindingList(findings).write(html);
    }

    private static void sections(Html html, String id, String title, List<Section> sections) {
        heading(html, id, title);
        for (var section : sections) {
            var caption = caption(section.name());
            html.element("h3", caption);
            Tables.write(html, caption, section);
        }
    }

    /** {@code Raw devices} for {@code rawDevices}. */
    private static String caption(String name) {
        var words = name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private void disks(Html html) {
        heading(html, "disks", "Disks");
        html.begin("p", "class", "soft");
        html.text(
                "Each bar is a disk of a volume group from its first extent to its last. A volume"
                        + " has one colour everywhere; different volumes may share it, and the list"
                        + " below a bar names them. Full height is content, the lower half is"
                        + " LVM's metadata, the upper half is what pvmove moves; empty is free."
                        + " Thin volumes are inside of their pool.");
        html.end("p");
        for (var node : nodes) {
            html.element("h3", "Node " + node.name());
            silence(html, node);
            node.disks().forEach(disk -> new DiskDrawing(disk, node.claims()).write(html));
        }
        none(html, nodes.isEmpty(), "No node agent was found.");
    }

    private void pools(Html html) {
        heading(html, "pools", "Pools");
        html.begin("p", "class", "soft");
        html.text(
                "The agents keep how full their pools were, every ten minutes for a day, in memory"
                        + " alone: a restart of an agent begins anew.");
        html.end("p");
        var pools = nodes.stream().flatMap(node -> node.pools().stream()).toList();
        html.begin("div", "class", "pools");
        pools.forEach(pool -> new PoolDrawing(pool, made).write(html));
        html.end("div");
        none(html, pools.isEmpty(), "No thin pool is known.");
    }

    private static void silence(Html html, NodePart node) {
        if (!node.silence().isEmpty()) {
            html.begin("p", "class", "gaps").text(node.silence()).end("p");
        } else {
            none(html, node.disks().isEmpty(), "LVM has no disk there.");
        }
    }

    private static void none(Html html, boolean none, String text) {
        if (none) {
            html.begin("p", "class", "none").text(text).end("p");
        }
    }
}
