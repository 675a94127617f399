package lvms.lvm2.engine;

import java.util.List;
import java.util.Optional;

/**
 * The one text that {@code lvm2_run} takes instead of a list of words. It is split at white space
 * into at most 63 words. A quote counts only as the first character of a word and ends at the same
 * quote; there is no escape. A word that starts with {@code #} ends the line.
 */
final class CommandLine {
    private static final int MAX_WORDS = 63;

    private CommandLine() {}

    /** Joins the words; empty if the grammar cannot express them, and only exec can run them. */
    static Optional<String> of(List<String> words) {
        if (words.size() > MAX_WORDS) {
            return Optional.empty();
        }
        var line = new StringBuilder();
        for (var word : words) {
            var quoted = quote(word);
            if (quoted.isEmpty()) {
                return Optional.empty();
            }
            line.append(line.isEmpty() ? "" : " ").append(quoted.get());
        }
        return Optional.of(line.toString());
    }

    private static Optional<String> quote(String word) {
        boolean plain =
                !word.isEmpty()
                        && "'\"#".indexOf(word.charAt(0)) < 0
                        && word.chars().noneMatch(c -> c <= ' ');
        if (plain) {
            return Optional.of(word);
        }
        if (word.indexOf('\n') >= 0 || word.indexOf('\0') >= 0) {
            return Optional.empty();
        }
        if (word.indexOf('\'') < 0) {
            return Optional.of("'" + word + "'");
        }
        return word.indexOf('"') < 0 ? Optional.of('"' + word + '"') : Optional.empty();
    }
}
