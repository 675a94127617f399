package lvms.lvm2.system;

/**
 * Major and minor number of a device.
 *
 * @param major major number
 * @param minor minor number
 */
public record DeviceNumber(int major, int minor) {
    /** Parses {@code major:minor}. */
    public static DeviceNumber parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("not a device number: " + text);
        }
        return new DeviceNumber(
                Integer.parseInt(text.substring(0, colon)),
                Integer.parseInt(text.substring(colon + 1)));
    }

    /** Decodes {@code dev_t} as glibc's {@code gnu_dev_major} and {@code gnu_dev_minor} do. */
    public static DeviceNumber ofDev(long dev) {
        int major = (int) ((dev >>> 8) & 0xfff | (dev >>> 32) & ~0xfffL);
        int minor = (int) (dev & 0xff | (dev >>> 12) & ~0xffL);
        return new DeviceNumber(major, minor);
    }

    /** Returns {@code major:minor}. */
    @Override
    public String toString() {
        return major + ":" + minor;
    }
}
