package lvms.api;

/** Who chooses a size of a thin pool. */
public enum SizePolicy implements WireText {
    /** LVM with its own rules. */
    HOST("Host"),
    /** The spec, or our default. */
    STATIC("Static");

    private final String text;

    SizePolicy(String text) {
        this.text = text;
    }

    @Override
    public String text() {
        return text;
    }

    /**
     * Returns the constant with this text.
     *
     * @throws IllegalArgumentException if no constant has this text
     */
    public static SizePolicy of(String text) {
        return WireText.of(SizePolicy.class, text);
    }
}
