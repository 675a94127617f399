package lvms.api.machine;

import java.util.Locale;

/** Whether the kernel has a module. */
public enum ModuleState {
    /** It is loaded, or part of the kernel. */
    LOADED,
    /** Its file is there, so that it can be loaded. */
    AVAILABLE,
    /** It is nowhere. */
    MISSING;

    /** The word in JSON. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads the word; one of another version counts as missing. */
    static ModuleState of(String text) {
        for (var state : values()) {
            if (state.text().equals(text)) {
                return state;
            }
        }
        return MISSING;
    }
}
