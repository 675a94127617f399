package lvms.api.attribute;

import lvms.k8s.object.Quantity;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * What can be changed about one volume while it is in use, without touching its pool or group. The
 * node says how each is applied and read back; a new one does not compile until it is mapped there.
 */
public enum VolumeAttribute {
    /** How far the kernel reads ahead: {@code auto}, {@code none}, or bytes such as 128Ki. */
    READ_AHEAD("read-ahead", "auto, none, or a size such as 128Ki: a multiple of 4Ki up to 1Gi") {
        @Override
        Optional<String> canonical(String value) {
            if (value.equals("auto") || value.equals("none")) {
                return Optional.of(value);
            }
            try {
                long bytes = Quantity.parse(value).bytes();
                boolean fits = bytes > 0 && bytes <= MOST_READ_AHEAD && bytes % PAGE == 0;
                return fits ? Optional.of(Quantity.ofBytes(bytes).toString()) : Optional.empty();
            } catch (IllegalArgumentException _) {
                return Optional.empty();
            }
        }
    },

    /** Which physical volumes a thick volume grows onto; lvm(8) explains the policies. */
    ALLOCATION_POLICY(
            "allocation-policy", "one of inherit, contiguous, cling, normal, and anywhere") {
        @Override
        Optional<String> canonical(String value) {
            return Optional.of(value).filter(POLICIES::contains);
        }
    };

    private static final long PAGE = 4096; // LVM counts in pages of the machine, at least of 4 KiB
    private static final long MOST_READ_AHEAD = 1L << 30;
    private static final Set<String> POLICIES =
            Set.of("inherit", "contiguous", "cling", "normal", "anywhere");

    private final String text;
    private final String grammar;

    VolumeAttribute(String text, String grammar) {
        this.text = text;
        this.grammar = grammar;
    }

    /** Returns the one way to write a value, empty if it is none. */
    abstract Optional<String> canonical(String value);

    /** Returns its name; as a parameter it has the driver's name before it. */
    public String text() {
        return text;
    }

    /** Returns the values that it can have, as the second half of a sentence. */
    public String grammar() {
        return grammar;
    }

    static Optional<VolumeAttribute> named(String text) {
        return Arrays.stream(values()).filter(a -> a.text.equals(text)).findFirst();
    }
}
