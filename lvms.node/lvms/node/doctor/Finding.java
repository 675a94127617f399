package lvms.node.doctor;

import java.util.Locale;

/**
 * Something that a person should know.
 *
 * @param severity how bad it is
 * @param subject what it is about, such as {@code vg1/pool}
 * @param text what is wrong
 * @param cure what to do
 */
public record Finding(Severity severity, String subject, String text, String cure) {
    /** How bad it is, worst first. */
    public enum Severity {
        /** Data or service is lost, or will be with the next write. */
        ERROR,
        /** It works now, but not for long. */
        WARNING,
        /** It works, but could be better. */
        NOTE;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Something is broken. */
    static Finding error(String subject, String text, String cure) {
        return new Finding(Severity.ERROR, subject, text, cure);
    }

    /** Something will break. */
    static Finding warning(String subject, String text, String cure) {
        return new Finding(Severity.WARNING, subject, text, cure);
    }

    /** Something could be better. */
    static Finding note(String subject, String text, String cure) {
        return new Finding(Severity.NOTE, subject, text, cure);
    }

    /** Returns whether somebody has to act. */
    public boolean urgent() {
        return severity != Severity.NOTE;
    }
}
