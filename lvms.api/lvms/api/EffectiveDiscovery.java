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

    /** Returns whether a class takes a device that no path names. */
    public boolean takesNewDevices(boolean groupExists) {
        return switch (this) {
            case PRECONFIGURED -> false;
            case RUNTIME_DYNAMIC -> true;
            case RUNTIME_STATIC -> !groupExists;
        };
    }

    /** Returns whether a device that is free comes too late for the class. */
    public boolean isComplete(boolean groupExists) {
        return this == RUNTIME_STATIC && groupExists;
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
