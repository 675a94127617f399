package lvms.api;

/** Health of the RAID volumes of a group. */
public enum RaidHealth implements WireText {
    /** All copies are there. */
    HEALTHY("Healthy"),
    /** A device is missing, the data is not. */
    DEGRADED("Degraded"),
    /** No RAID volume works. */
    FAILED("Failed");

    private final String text;

    RaidHealth(String text) {
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
    public static RaidHealth of(String text) {
        return WireText.of(RaidHealth.class, text);
    }
}
