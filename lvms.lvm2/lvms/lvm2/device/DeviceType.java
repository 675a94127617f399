package lvms.lvm2.device;

/** Kind of block device, with the names that lsblk(8) gives them. */
public enum DeviceType {
    /** A whole disk. */
    DISK("disk"),
    PARTITION("part"),
    LOOP("loop"),
    /** A logical volume of LVM. */
    LVM("lvm"),
    MULTIPATH("mpath"),
    /** An encrypted device. */
    CRYPT("crypt"),
    /** Another device of the device-mapper. */
    DEVICE_MAPPER("dm"),
    /** Software RAID (md). */
    RAID("raid"),
    /** An optical drive. */
    ROM("rom"),
    /** A disk in memory (ram, zram). */
    RAM("ram");

    private final String text;

    DeviceType(String text) {
        this.text = text;
    }

    /** Returns the name lsblk uses. */
    public String text() {
        return text;
    }
}
