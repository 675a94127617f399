package lvms.api.finding;

import java.util.Locale;

/**
 * Something that a person should know about a cluster or a machine.
 *
 * @param severity how bad it is
 * @param subject what it is about, such as {@code node n1} or {@code vg1/pool}
 * @param text what is wrong
 * @param cure what to do
 */
public record Finding(Severity severity, String subject, String text, String cure) {
    /** How bad it is, worst first. */
    public enum Severity {
        /** Data or service is lost, or will be with the next write; or a claim waits. */
        ERROR,
        /** It works, but not as it should, or not for long. */
        WARNING,
        /** Nobody has to act; it could be better. */
        NOTE;

        /** The word in tables and JSON. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Something is broken. */
    public static Finding error(String subject, String text, String cure) {
        return new Finding(Severity.ERROR, subject, text, cure);
    }

    /** Something will break. */
    public static Finding warning(String subject, String text, String cure) {
        return new Finding(Severity.WARNING, subject, text, cure);
    }

    /** Something could be better. */
    public static Finding note(String subject, String text, String cure) {
        return new Finding(Severity.NOTE, subject, text, cure);
    }

    /** Returns whether somebody has to act. */
    public boolean urgent() {
        return severity != Severity.NOTE;
    }
}
