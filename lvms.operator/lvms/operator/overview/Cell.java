package lvms.operator.overview;

import lvms.k8s.tree.Tree;
import lvms.operator.volume.SizeRules;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A value in a table.
 *
 * @param text for people; {@code -} if there is none
 * @param json for programs: sizes are bytes, ages are seconds
 */
public record Cell(String text, Tree json) {
    /** No value. */
    static final Cell NONE = new Cell("-", Tree.NULL);

    public static Cell of(String text) {
        return text.isEmpty() ? NONE : new Cell(text.replaceAll("\\s+", " "), Tree.of(text));
    }

    public static Cell of(Optional<String> text) {
        return text.map(Cell::of).orElse(NONE);
    }

    public static Cell of(long number) {
        return new Cell(Long.toString(number), Tree.of(number));
    }

    /** A value as it came; none if it is not there. */
    public static Cell of(Tree value) {
        return value.isNull() ? NONE : new Cell(value.toString(), value);
    }

    static Cell of(boolean flag) {
        return new Cell(flag ? "yes" : "no", Tree.of(flag));
    }

    public static Cell bytes(long bytes) {
        return new Cell(SizeRules.text(bytes), Tree.of(bytes));
    }

    public static Cell bytes(OptionalLong bytes) {
        return bytes.isPresent() ? bytes(bytes.getAsLong()) : NONE;
    }

    static Cell age(Duration age) {
        return new Cell(text(age), Tree.of(age.toSeconds()));
    }

    /** The largest unit that leaves two digits or more of sense: {@code 90s}, {@code 36h}. */
    static String text(Duration age) {
        return age.toMinutes() < 2
                ? Math.max(0, age.toSeconds()) + "s"
                : age.toHours() < 2
                        ? age.toMinutes() + "m"
                        : age.toDays() < 2 ? age.toHours() + "h" : age.toDays() + "d";
    }
}
