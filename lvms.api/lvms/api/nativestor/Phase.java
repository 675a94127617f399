package lvms.api.nativestor;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a TopolvmCluster, or one of its nodes, is. */
public enum Phase {
    READY,
    FAILURE,
    UNKNOWN,
    PENDING;

    /** Returns the word in JSON. */
    public String text() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }

    /** Returns the phase with this word; empty for another word, or before the first report. */
    public static Optional<Phase> find(String text) {
        return Arrays.stream(values()).filter(phase -> phase.text().equals(text)).findFirst();
    }
}
