package lvms.api.snapshot;

import lvms.k8s.object.Quantity;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How much room a snapshot of a thick volume gets at first: its store holds what the volume had
 * where it was written to since. A snapshot of a thin volume needs none.
 *
 * @param percent of the size of the volume; 0 if {@code fixedBytes} says it
 * @param fixedBytes as many bytes; 0 if {@code percent} says it
 */
public record StoreSize(int percent, long fixedBytes) {
    /** Parameter of a VolumeSnapshotClass: {@code 20%}, or a size such as {@code 5Gi}. */
    public static final String PARAMETER = "lvms.topolvm.io/snapshot-size";

    /** What a class has that says nothing. */
    public static final StoreSize DEFAULT = new StoreSize(20, 0);

    private static final Pattern PERCENT = Pattern.compile("([1-9][0-9]{0,2})%");
    private static final int WHOLE = 100;

    /** What a fast writer fills while the node notices and LVM lets the store grow. */
    private static final long LEAST = 512L << 20;

    /** dm-snapshot indexes a chunk by 16 bytes, and LVM's chunks have 4 KiB. */
    private static final int CHUNKS_IN_INDEX = 256;

    private static final long HEADERS = 64 << 10;

    public StoreSize {
        boolean one = percent > 0 ^ fixedBytes > 0;
        if (!one || percent < 0 || percent > WHOLE || fixedBytes < 0) {
            throw new IllegalArgumentException(
                    "expected 1% to 100%, or a positive size such as 5Gi");
        }
    }

    /**
     * Reads the parameters of a class.
     *
     * @throws IllegalArgumentException if the value is neither a percentage nor a size
     */
    public static StoreSize of(Map<String, String> parameters) {
        return Optional.ofNullable(parameters.get(PARAMETER)).map(StoreSize::parse).orElse(DEFAULT);
    }

    private static StoreSize parse(String text) {
        var percent = PERCENT.matcher(text);
        try {
            return percent.matches()
                    ? new StoreSize(Integer.parseInt(percent.group(1)), 0)
                    : new StoreSize(0, Quantity.parse(Objects.requireNonNull(text)).bytes());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "%s: expected 1%% to 100%%, or a positive size such as 5Gi, found \"%s\""
                            .formatted(PARAMETER, text),
                    e);
        }
    }

    /** Returns the bytes for a snapshot of a volume; more than all of it needs is never used. */
    public long bytes(long volumeBytes) {
        long wanted = percent > 0 ? share(volumeBytes) : fixedBytes;
        return Math.min(Math.max(wanted, LEAST), mostBytes(volumeBytes));
    }

    private long share(long volumeBytes) {
        return volumeBytes / WHOLE * percent + Math.ceilDiv(volumeBytes % WHOLE * percent, WHOLE);
    }

    /** Returns how large a store is in which all of a volume has been overwritten. */
    public static long mostBytes(long volumeBytes) {
        return volumeBytes + Math.ceilDiv(volumeBytes, CHUNKS_IN_INDEX) + HEADERS;
    }
}
