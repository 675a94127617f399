package lvms.api;

/** When a claim gets its volume. */
public enum BindingMode implements WireText {
    /** When the scheduler has chosen a node for its first pod. */
    WAIT_FOR_FIRST_CONSUMER("WaitForFirstConsumer"),
    /** At once. */
    IMMEDIATE("Immediate");

    private final String text;

    BindingMode(String text) {
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
    public static BindingMode of(String text) {
        return WireText.of(BindingMode.class, text);
    }
}
