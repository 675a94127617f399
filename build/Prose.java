import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What readers of pages, manifests and scripts see: no comments, and no code that is quoted. */
final class Prose {
    /** Records of decisions, the guide itself, and what is made from texts that are read anyway. */
    private static final Pattern LEFT_OUT =
            Pattern.compile("docs/(adr/.*|style[.]md|reference[.]md)|proto/.*");

    private static final Pattern PAGE = Pattern.compile(".*[.]md");
    private static final Pattern MANIFEST = Pattern.compile("deploy/.*[.](yaml|tpl|txt|json)");
    private static final Pattern SCRIPT =
            Pattern.compile("(?!tests/).*([.]sh|[.]ci/run|deploy/plugin/.*)");
    private static final Pattern JAVA = Pattern.compile("(?!tests/).*[.]java");

    private static final Pattern JAVA_BLOCK =
            Pattern.compile("^ *```java$.*?^ *```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern CODE = Pattern.compile("`(?:(?!\n\\s*\n)[^`])+`");
    private static final Pattern TARGET = Pattern.compile("(?<=])\\([^()\\s]*\\)");
    private static final Pattern TEMPLATE_COMMENT =
            Pattern.compile("\\{\\{-? */\\*.*?\\*/ *-?}}", Pattern.DOTALL);
    private static final Pattern COMMENT = Pattern.compile("^\\s*#.*$", Pattern.MULTILINE);

    /** Two marks begin a line of {@code ./build.sh help}. */
    private static final Pattern SCRIPT_COMMENT =
            Pattern.compile("^\\s*#(?!#).*$", Pattern.MULTILINE);

    private Prose() {}

    /** Returns whether the literals of a Java file are messages, logs or help of the product. */
    static boolean speaks(Path file) {
        return matches(JAVA, file) && !matches(LEFT_OUT, file);
    }

    /** Returns the text of any other file; none if it is not one of those. */
    static List<Passage> of(Path file, String text) {
        if (matches(LEFT_OUT, file)) {
            return List.of();
        }
        if (matches(PAGE, file)) {
            return passage(text, JAVA_BLOCK, CODE, TARGET);
        }
        if (matches(MANIFEST, file)) {
            return passage(text, TEMPLATE_COMMENT, COMMENT);
        }
        return matches(SCRIPT, file) ? passage(text, SCRIPT_COMMENT) : List.of();
    }

    private static boolean matches(Pattern pattern, Path file) {
        return pattern.matcher(file.toString()).matches();
    }

    private static List<Passage> passage(String text, Pattern... hidden) {
        var seen = text;
        for (var pattern : hidden) {
            seen = pattern.matcher(seen).replaceAll(Prose::gaps);
        }
        var passage = new Passage();
        int number = 0;
        for (var line : seen.split("\n")) {
            number++;
            passage.add(number, line + "\n");
        }
        return List.of(passage);
    }

    /** As many lines as before, so that those below keep their numbers. */
    private static String gaps(MatchResult hidden) {
        return hidden.group().replaceAll("[^\n]+", Passage.GAP);
    }
}
