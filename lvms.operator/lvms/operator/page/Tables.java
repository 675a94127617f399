package lvms.operator.page;

import lvms.operator.overview.Section;

import java.util.Locale;

/** Tables for people who see them and for those who hear them; a wide one scrolls by itself. */
final class Tables {
    private Tables() {}

    static void begin(Html html, String caption) {
        html.begin(
                "div", "class", "scroll", "role", "region", "tabindex", "0", "aria-label", caption);
        html.begin("table").element("caption", caption);
    }

    static void heads(Html html, String... heads) {
        html.markup("<thead><tr>");
        for (var head : heads) {
            html.begin("th", "scope", "col").text(head).end("th");
        }
        html.markup("</tr></thead><tbody>\n");
    }

    static void end(Html html) {
        html.markup("</tbody></table></div>\n");
    }

    /** A table of the other commands; nothing, if it is empty. */
    static void write(Html html, String caption, Section section) {
        if (section.rows().isEmpty()) {
            html.begin("p", "class", "none").text("None.").end("p");
            return;
        }
        begin(html, caption);
        heads(html, section.heads().stream().map(Tables::head).toArray(String[]::new));
        for (var row : section.rows()) {
            html.begin("tr").begin("th", "scope", "row").text(row.getFirst().text()).end("th");
            row.stream().skip(1).forEach(cell -> html.element("td", cell.text()));
            html.markup("</tr>\n");
        }
        end(html);
    }

    private static String head(String column) {
        return column.toLowerCase(Locale.ROOT);
    }
}
