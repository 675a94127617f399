package lvms.operator.preflight;

import lvms.operator.overview.Cell;
import lvms.operator.overview.Section;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What one check found.
 *
 * @param verdict whether it is in the way
 * @param subject what was checked, such as {@code rights}
 * @param text what was found
 * @param cure what to do; empty if nothing has to be done
 */
public record Check(Verdict verdict, String subject, String text, String cure) {
    /** How much it is in the way. */
    public enum Verdict {
        /** Nothing has to be done. */
        OK,
        /** lvms can be installed, but a part of it does not work, or needs a setting. */
        WARNING,
        /** It does not work before somebody has done something. */
        PROBLEM,
        /** Nobody has looked. */
        UNSEEN;

        /** The word in tables and JSON. */
        String text() {
            return this == UNSEEN ? "not seen" : name().toLowerCase(Locale.ROOT);
        }
    }

    static Check ok(String subject, String text) {
        return new Check(Verdict.OK, subject, text, "");
    }

    static Check warning(String subject, String text, String cure) {
        return new Check(Verdict.WARNING, subject, text, cure);
    }

    /** Something has to be done first. */
    public static Check problem(String subject, String text, String cure) {
        return new Check(Verdict.PROBLEM, subject, text, cure);
    }

    /** Nobody has looked. */
    public static Check unseen(String subject, String text, String cure) {
        return new Check(Verdict.UNSEEN, subject, text, cure);
    }

    /** Whether an installation would not work. */
    public boolean isProblem() {
        return verdict == Verdict.PROBLEM;
    }

    /** Returns checks as a table, in their order. */
    public static Section section(List<Check> checks) {
        return Section.of(
                "checks",
                List.of("result", "check", "finding", "cure"),
                checks.stream()
                        .map(
                                check ->
                                        Stream.of(
                                                        check.verdict().text(),
                                                        check.subject(),
                                                        check.text(),
                                                        check.cure())
                                                .map(Cell::of)
                                                .toList()));
    }
}
