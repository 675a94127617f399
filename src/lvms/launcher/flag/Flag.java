package lvms.launcher.flag;

/**
 * A flag of a subcommand.
 *
 * @param name without the leading dashes
 * @param kind what its value has to be
 * @param fallback the value if the flag is not given, as text
 * @param meaning one line for the help; an empty one keeps the flag out of the help
 */
public record Flag(String name, Kind kind, String fallback, String meaning) {
    /** Returns a flag whose value is any text. */
    public static Flag ofText(String name, String fallback, String meaning) {
        return new Flag(name, Kind.TEXT, fallback, meaning);
    }

    /** How the flag is written: a word has two dashes, a letter has one. */
    public String text() {
        return (name.length() == 1 ? "-" : "--") + name;
    }

    /** What a value has to look like. */
    public enum Kind {
        /** Any text. */
        TEXT("text"),
        /** {@code true} or {@code false}; the bare flag means {@code true}. */
        SWITCH("true or false"),
        /**
         * {@code host:port}, {@code :port} for every address; {@code 0} or nothing for none. A port
         * is a number or the name of a service.
         */
        ADDRESS("host:port, :port or 0"),
        /** Words joined by commas; empty means no word. */
        WORDS("words joined by commas");

        private final String meaning;

        Kind(String meaning) {
            this.meaning = meaning;
        }

        /** A few words for the reference. */
        public String meaning() {
            return meaning;
        }
    }
}
