package lvms.api;

/** What becomes of a volume when its claim is deleted. */
public enum ReclaimPolicy implements WireText {
    /** It is deleted. */
    DELETE("Delete"),
    /** It is kept. */
    RETAIN("Retain");

    private final String text;

    ReclaimPolicy(String text) {
        this.text = text;
    }

    @Override
    public String text() {
        return text;
    }

    /**
     * Returns the constant with this text.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static ReclaimPolicy of(String text) {
        return WireText.of(ReclaimPolicy.class, text);
    }
}
