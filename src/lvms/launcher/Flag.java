package lvms.launcher;

/**
 * A flag of a subcommand.
 *
 * @param name without the leading dashes
 * @param kind what its value has to be
 * @param fallback the value where the flag is not given, as text
 * @param meaning one line for the help; empty keeps it out of there
 */
record Flag(String name, Kind kind, String fallback, String meaning) {
    /** What a value has to look like. */
    enum Kind {
        /** Any text. */
        TEXT,
        /** {@code true} or {@code false}; the bare flag means {@code true}. */
        SWITCH,
        /** {@code host:port}, {@code :port} for every address; {@code 0} or nothing for none. */
        ADDRESS,
        /** As {@link #ADDRESS}, but only one that no other machine can reach. */
        LOOPBACK,
        /** Words joined by commas; empty means no word. */
        WORDS
    }
}
