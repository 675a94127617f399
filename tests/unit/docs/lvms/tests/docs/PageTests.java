package lvms.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Whoever begins at README.md comes to every page, and no link leads nowhere. */
class PageTests {
    private static final Path DOCS = Path.of("docs");
    private static final Path INDEX = DOCS.resolve("README.md");

    /** Pages beside the code that they explain. */
    private static final List<Path> BESIDE_CODE =
            List.of(
                    Path.of("build/README.md"),
                    Path.of("jlink/README.md"),
                    Path.of("tests/runner/README.md"));

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern ADDRESS = Pattern.compile("[a-z]+:.*");

    private static List<Path> pages() throws IOException {
        try (var docs = Files.walk(DOCS);
                var top = Files.list(Path.of(""))) {
            return Stream.of(docs, top, BESIDE_CODE.stream())
                    .flatMap(pages -> pages)
                    .filter(page -> page.toString().endsWith(".md"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        }
    }

    private static List<String> links(Path page) throws IOException {
        // A title may be broken over two lines, and code is no link.
        var text = Files.readString(page).replaceAll("(?ms)^ *```.*?^ *```", "");
        return LINK.matcher(text.replaceAll("`[^`\n]*`", ""))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !ADDRESS.matcher(link).matches())
                .toList();
    }

    @Test
    void theIndexHasEachPageOnce() throws Exception {
        var named = links(INDEX).stream().filter(link -> link.matches("[^/#]+[.]md")).toList();
        assertEquals(
                pages().stream()
                        .filter(page -> DOCS.equals(page.getParent()) && !page.equals(INDEX))
                        .map(page -> page.getFileName().toString())
                        .toList(),
                named.stream().sorted().toList(),
                INDEX::toString);
        assertTrue(links(Path.of("README.md")).contains(INDEX.toString()));
    }

    @Test
    void eachLinkLeadsSomewhere() throws Exception {
        var broken = new ArrayList<String>();
        for (var page : pages()) {
            for (var link : links(page)) {
                if (!leadsSomewhere(page, link)) {
                    broken.add(page + ": " + link);
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    private static boolean leadsSomewhere(Path page, String link) throws IOException {
        int hash = link.indexOf('#');
        var file = hash < 0 ? link : link.substring(0, hash);
        var target = file.isEmpty() ? page : page.resolveSibling(file);
        return Files.exists(target)
                && (hash < 0 || headings(target).contains(link.substring(hash + 1)));
    }

    /** The names by which GitHub leads to the headings of a page. */
    private static Set<String> headings(Path page) throws IOException {
        var names = new HashSet<String>();
        for (var line : Files.readAllLines(page)) {
            if (line.matches("#+ .*")) {
                var name = name(line.replaceFirst("#+ ", ""));
                var unique = name;
                for (int i = 1; !names.add(unique); i++) {
                    unique = name + "-" + i;
                }
            }
        }
        return names;
    }

    private static String name(String heading) {
        var text = LINK.matcher(heading).replaceAll(Matcher.quoteReplacement("]"));
        return text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
    }
}
