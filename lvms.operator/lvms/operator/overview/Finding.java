package lvms.operator.overview;

import java.util.List;
import java.util.Locale;

/**
 * Something that a person should know about the cluster.
 *
 * @param severity how bad it is
 * @param subject what it is about, such as {@code node n1}
 * @param text what is wrong
 * @param cure what to do
 */
public record Finding(Severity severity, String subject, String text, String cure) {
    /** How bad it is, worst first. */
    public enum Severity {
        /** Data or service is lost, or a claim waits for a person. */
        ERROR,
        /** It works, but not as it should, or not for long. */
        WARNING,
        /** Nobody has to act. */
        NOTE
    }

    static Finding error(String subject, String text, String cure) {
        return new Finding(Severity.ERROR, subject, text, cure);
    }

    static Finding warning(String subject, String text, String cure) {
        return new Finding(Severity.WARNING, subject, text, cure);
    }

    static Finding note(String subject, String text, String cure) {
        return new Finding(Severity.NOTE, subject, text, cure);
    }

    public boolean urgent() {
        return severity != Severity.NOTE;
    }

    /** Returns findings as a table, worst first. */
    public static Section section(List<Finding> findings) {
        return Section.of(
                "findings",
                List.of("severity", "subject", "finding", "cure"),
                findings.stream()
                        .sorted((a, b) -> a.severity().compareTo(b.severity()))
                        .map(
                                f ->
                                        List.of(
                                                Cell.of(
                                                        f.severity()
                                                                .name()
                                                                .toLowerCase(Locale.ROOT)),
                                                Cell.of(f.subject()),
                                                Cell.of(f.text()),
                                                Cell.of(f.cure()))));
    }
}
