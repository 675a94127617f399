package lvms.api;

/** State of a volume group on a node. */
public enum VolumeGroupState implements WireText {
    /** Work is under way. */
    PROGRESSING("Progressing"),
    /** It is as the spec asks. */
    READY("Ready"),
    /** It does not exist, and making it failed. */
    FAILED("Failed"),
    /** It exists, and something is wrong with it. */
    DEGRADED("Degraded");

    private final String text;

    VolumeGroupState(String text) {
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
    public static VolumeGroupState of(String text) {
        return WireText.of(VolumeGroupState.class, text);
    }
}
