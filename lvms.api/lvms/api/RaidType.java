package lvms.api;

/** Level of native LVM RAID. */
public enum RaidType implements WireText {
    /** Mirrors. */
    RAID1("raid1"),
    /** Stripes with one dedicated parity device. */
    RAID4("raid4"),
    /** Stripes with rotating parity. */
    RAID5("raid5"),
    /** Stripes with two parities. */
    RAID6("raid6"),
    /** Stripes over mirrors. */
    RAID10("raid10");

    private final String text;

    RaidType(String text) {
        this.text = text;
    }

    @Override
    public String text() {
        return text;
    }

    /** Returns whether the level keeps whole copies, so that {@code mirrors} has a meaning. */
    public boolean mirrored() {
        return this == RAID1 || this == RAID10;
    }

    /** Returns whether the level has stripes. */
    public boolean striped() {
        return this != RAID1;
    }

    /**
     * Returns the constant with this text.
     *
     * @throws IllegalArgumentException if no constant has this text
     */
    public static RaidType of(String text) {
        return WireText.of(RaidType.class, text);
    }
}
