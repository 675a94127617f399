package lvms.api;

/** How the devices of a volume group were chosen on a node. */
public enum EffectiveDiscovery implements WireText {
    /** The class names its paths. */
    PRECONFIGURED("Preconfigured"),
    /** Every usable device, including those that appear later. */
    RUNTIME_DYNAMIC("RuntimeDynamic"),
    /** Every device that was usable at the beginning. */
    RUNTIME_STATIC("RuntimeStatic");

    private final String text;

    EffectiveDiscovery(String text) {
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
    public static EffectiveDiscovery of(String text) {
        return WireText.of(EffectiveDiscovery.class, text);
    }
}
