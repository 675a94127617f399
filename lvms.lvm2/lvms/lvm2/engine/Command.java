package lvms.lvm2.engine;

import java.time.Duration;
import java.util.List;

/**
 * One command of LVM: its name and arguments, as a list of words.
 *
 * @param effect what it does to LVM's state
 * @param words name and arguments, without {@code lvm} in front
 */
public record Command(Effect effect, List<String> words) {
    /** What a command does, and with it how long it may take and what its death means. */
    public enum Effect {
        /** Only reports: may be killed and repeated at will. */
        READ(Duration.ofSeconds(60)),
        /** Changes something: killed only as a last resort, and its outcome is unknown then. */
        CHANGE(Duration.ofMinutes(10)),
        /** Changes something and copies data meanwhile; runs apart from the others. */
        LONG(Duration.ofDays(7));

        private final Duration deadline;

        Effect(Duration deadline) {
            this.deadline = deadline;
        }

        /** Returns when the command is killed. */
        public Duration deadline() {
            return deadline;
        }
    }

    /** Copies the words. */
    public Command {
        words = List.copyOf(words);
    }

    /** Returns the words with blanks between them, for messages. */
    @Override
    public String toString() {
        return String.join(" ", words);
    }
}
