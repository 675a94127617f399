package lvms.api.nativestor;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which device a node had at one time: what a boot and the kernel's number of the disk say, and its
 * size. Two that are equal are of one device that nobody has pulled out in between.
 *
 * @param boot the kernel's {@code random/boot_id}
 * @param sequence the kernel's {@code diskseq}; 0 before 5.15
 * @param sizeBytes size of the device, in bytes
 */
public record DeviceTenancy(String boot, long sequence, long sizeBytes) {
    private static final Pattern TEXT =
            Pattern.compile("boot=([0-9a-f-]{1,64}) diskseq=(\\d{1,18}) bytes=(\\d{1,18})");

    public DeviceTenancy {
        Objects.requireNonNull(boot, "boot");
    }

    /** Reads the text form; empty if it is none. */
    public static Optional<DeviceTenancy> of(String text) {
        return Optional.of(TEXT.matcher(text))
                .filter(Matcher::matches)
                .map(
                        matcher ->
                                new DeviceTenancy(
                                        matcher.group(1),
                                        Long.parseLong(matcher.group(2)),
                                        Long.parseLong(matcher.group(3))));
    }

    /** Returns the form in annotations. */
    public String text() {
        return "boot=%s diskseq=%d bytes=%d".formatted(boot, sequence, sizeBytes);
    }

    /** Returns whether this is the same device as then, whatever is known of its identity. */
    public boolean continues(DeviceTenancy then) {
        return sequence != 0 && equals(then);
    }
}
