package lvms.tests.page;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the comment in the line before a block says about it. */
public sealed interface Mark {
    /** Where a test runs a block, and the layers of tests that run there. */
    enum Place {
        ANY_MACHINE("on any machine"),
        REAL_CLUSTER("on a real cluster");

        private static final Map<String, Place> BY_WORDS =
                Stream.of(values()).collect(Collectors.toMap(place -> place.words, place -> place));
        private final String words;

        Place(String words) {
            this.words = words;
        }

        static Place ofLayer(String layer) {
            return layer.equals("conformance") || layer.equals("e2e") ? REAL_CLUSTER : ANY_MACHINE;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** {@code <!-- tested: on any machine by SomeTests -->}: this class runs the block. */
    record Tested(Place place, String testClass) implements Mark {}

    /** {@code <!-- not tested: REASON -->}: commands that no test runs. */
    record NotTested(String reason) implements Mark {}

    /** {@code <!-- output -->}: lines that the block before it prints, which its test compares. */
    record Output() implements Mark {}

    /** {@code <!-- no command: WHAT -->}: nothing to run, such as a picture. */
    record NoCommand(String what) implements Mark {}

    /** Reads the line before a block; empty if it has no mark. */
    static Optional<Mark> of(String line) {
        var comment = Syntax.COMMENT.matcher(line);
        if (!comment.matches()) {
            return Optional.empty();
        }
        var words = comment.group(1);
        var tested = Syntax.TESTED.matcher(words);
        var other = Syntax.OTHER.matcher(words);
        if (tested.matches()) {
            return Optional.ofNullable(Place.BY_WORDS.get(tested.group(1)))
                    .map(place -> new Tested(place, tested.group(2)));
        } else if (other.matches()) {
            return Optional.of(
                    other.group(1).equals("not tested")
                            ? new NotTested(other.group(2))
                            : new NoCommand(other.group(2)));
        }
        return words.equals("output") ? Optional.of(new Output()) : Optional.empty();
    }

    /** The grammar. */
    final class Syntax {
        private static final Pattern COMMENT = Pattern.compile("<!-- (.*) -->");
        private static final Pattern TESTED = Pattern.compile("tested: (.*) by (\\w+Tests)");
        private static final Pattern OTHER = Pattern.compile("(not tested|no command): (.+)");

        private Syntax() {}
    }
}
