package lvms.operator.page;

import lvms.operator.volume.SizeRules;

import java.util.Map;
import java.util.Optional;

/**
 * A disk as a bar of its extents, with a table that says the same in words. The bar is as wide as
 * the page, so it has no text of its own: that would be stretched, and labels would meet.
 *
 * @param claims claim of a volume, by its name in LVM
 */
record DiskDrawing(DiskMap disk, Map<String, String> claims) {
    private static final int HEIGHT = 24;

    void write(Html html) {
        html.begin("figure", "class", disk.missing() ? "disk missing" : "disk");
        html.begin("figcaption").element("strong", disk.device());
        html.text(" " + caption()).end("figcaption");
        if (disk.runs().isEmpty()) {
            html.element("p", "Its extents are not known.");
        } else {
            bar(html);
            words(html);
        }
        html.end("figure");
    }

    private String caption() {
        return disk.group()
                + ", "
                + SizeRules.text(disk.sizeBytes())
                + (disk.missing() ? ", the node does not find this disk" : "")
                + (disk.runs().isEmpty()
                        ? ""
                        : ", "
                                + size(disk.freeExtents())
                                + " free, at most "
                                + size(disk.longestFree())
                                + " in one piece");
    }

    private String size(long extents) {
        return SizeRules.text(disk.bytes(extents));
    }

    private void bar(Html html) {
        html.begin(
                "svg",
                "class",
                "bar",
                "role",
                "img",
                "viewBox",
                "0 0 " + disk.extents() + " " + HEIGHT,
                "preserveAspectRatio",
                "none");
        html.element("title", alternative());
        disk.runs().forEach(run -> rectangle(html, run));
        html.end("svg");
    }

    /** What a screen reader says instead of the bar. */
    private String alternative() {
        return "Map of %s on %s: %d extents of %s, %d free, %d volumes; the table below has them"
                .formatted(
                        disk.device(),
                        disk.node(),
                        disk.extents(),
                        SizeRules.text(disk.extentBytes()),
                        disk.freeExtents(),
                        disk.byOwner().size());
    }

    /** Content has the whole height, metadata the lower half, what moves the upper half. */
    private void rectangle(Html html, ExtentRun run) {
        var name = run.name();
        var part = name.map(HiddenName::part).orElse(HiddenName.Part.DATA);
        html.begin(
                "rect",
                "x",
                Long.toString(run.start()),
                "y",
                part == HiddenName.Part.METADATA ? "" + HEIGHT / 2 : "0",
                "width",
                Long.toString(run.length()),
                "height",
                part == HiddenName.Part.DATA ? "" + HEIGHT : "" + HEIGHT / 2,
                "class",
                name.map(n -> Colours.of(n.owner())).orElse("free"));
        html.element("title", described(run)).end("rect");
    }

    private String described(ExtentRun run) {
        var place = ", extents " + run.start() + " to " + (run.end() - 1);
        return run.name()
                .map(
                        name ->
                                name.owner()
                                        + claim(name.owner()).map(c -> " of " + c).orElse("")
                                        + ", "
                                        + name.part().text()
                                        + " ("
                                        + run.type()
                                        + ")"
                                        + place)
                .orElse("free" + place);
    }

    private Optional<String> claim(String owner) {
        return Optional.ofNullable(claims.get(owner));
    }

    private void words(Html html) {
        var owners = disk.byOwner();
        html.begin("details");
        html.element("summary", owners.size() + " volumes on this disk");
        Tables.begin(html, "Volumes on " + disk.device() + " of " + disk.node());
        Tables.heads(html, "volume", "claim", "size here");
        owners.forEach(
                (owner, extents) -> {
                    html.markup("<tr><th scope=\"row\">");
                    html.begin("span", "class", "swatch " + Colours.of(owner)).end("span");
                    html.text(owner).end("th");
                    html.element("td", claim(owner).orElse("-")).element("td", size(extents));
                    html.end("tr");
                });
        Tables.end(html);
        html.end("details");
    }
}
