package lvms.api;

/** What happens to devices that appear later, for a class that names no paths. */
public enum DiscoveryPolicy implements WireText {
    /** Only the devices that were there when the volume group was made on the node. */
    STATIC("Static"),
    /** Every usable device, including those that appear later. */
    DYNAMIC("Dynamic");

    private final String text;

    DiscoveryPolicy(String text) {
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
    public static DiscoveryPolicy of(String text) {
        return WireText.of(DiscoveryPolicy.class, text);
    }
}
