package lvms.lvm2.engine;

import lvms.lvm2.Deadlines;

import java.time.Duration;
import java.util.List;

/**
 * One LVM command: its name and arguments, as a list of words.
 *
 * @param effect what it does to LVM's state
 * @param words name and arguments, without {@code lvm} in front
 * @param deadline how long it may run before it is killed
 */
public record Command(Effect effect, List<String> words, Duration deadline) {
    /** What a command does, and therefore what its death means. */
    public enum Effect {
        /** Only reports: may be killed and repeated freely. */
        READ,
        /** Changes something: killed only as a last resort, and then its outcome is unknown. */
        CHANGE,
        /** Changes something and copies data; runs separately from the others. */
        LONG
    }

    public Command {
        words = List.copyOf(words);
    }

    /** A command with the default deadline of its class. */
    public Command(Effect effect, List<String> words) {
        this(effect, words, Deadlines.DEFAULT);
    }

    /** A command with the deadline of its class. */
    public Command(Effect effect, List<String> words, Deadlines deadlines) {
        this(
                effect,
                words,
                switch (effect) {
                    case READ -> deadlines.read();
                    case CHANGE -> deadlines.change();
                    case LONG -> deadlines.copy();
                });
    }

    /** Returns the words with blanks between them, for messages. */
    @Override
    public String toString() {
        return String.join(" ", words);
    }
}
