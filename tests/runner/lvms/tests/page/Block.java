package lvms.tests.page;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A fenced block of a page.
 *
 * @param page where it is
 * @param line the number of the line that begins it
 * @param mark what the line before says; empty without a mark
 * @param text its lines
 * @param output what it prints by the page; empty if the page does not say
 */
public record Block(Path page, int line, Optional<Mark> mark, String text, String output) {
    private static final Set<String> TAKEN = ConcurrentHashMap.newKeySet();

    /** Returns the lines for a test that runs them, which is noted. */
    public String take() {
        TAKEN.add(place());
        return text;
    }

    /** Returns whether a test of this process took the lines. */
    boolean isTaken() {
        return TAKEN.contains(place());
    }

    /** Replaces what a reader replaces, in lines and output; it has to be there. */
    public Block with(String placeholder, String value) {
        if (!(text + output).contains(placeholder)) {
            throw new AssertionError(place() + ": there is no " + placeholder + " to replace");
        }
        return new Block(
                page,
                line,
                mark,
                text.replace(placeholder, value),
                output.replace(placeholder, value));
    }

    public boolean begins(String words) {
        return text.startsWith(words);
    }

    /** Returns page and line, for messages. */
    public String place() {
        return page + ":" + line;
    }
}
