package lvms.operator.csi;

import com.google.protobuf.MessageLite;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/**
 * Pages of a list that is sorted by name. A token says "after this name", so it stays valid when
 * that volume is deleted between two pages.
 *
 * @param <E> a volume in the answer
 * @param entries this page
 * @param nextToken token of the next page, empty after the last one
 */
record Paging<E extends MessageLite>(List<E> entries, String nextToken) {
    private static final String MARK = "after:";

    /** Clients refuse a message above 4 MiB; a small page for its own sake costs calls. */
    private static final int MOST_BYTES = 3 << 20;

    /**
     * Returns one page of a list: as many as are asked for, but no more than fit into a message.
     *
     * @param sorted all volumes, sorted by name
     * @param maxEntries 0 for no limit
     * @param entry writes a volume
     * @throws VolumeException INVALID_ARGUMENT for a negative limit, ABORTED for a bad token
     */
    static <E extends MessageLite> Paging<E> of(
            List<LogicalVolume> sorted,
            int maxEntries,
            String token,
            Function<LogicalVolume, E> entry)
            throws VolumeException {
        if (maxEntries < 0) {
            throw new VolumeException(StatusCode.INVALID_ARGUMENT, "max_entries is negative");
        }
        var after = token.isEmpty() ? "" : decode(token);
        var rest = sorted.stream().filter(volume -> volume.name().compareTo(after) > 0).toList();
        int most = maxEntries == 0 ? rest.size() : Math.min(maxEntries, rest.size());
        var page = new ArrayList<E>();
        long bytes = 0;
        while (page.size() < most && bytes < MOST_BYTES) {
            var next = entry.apply(rest.get(page.size()));
            page.add(next);
            bytes += next.getSerializedSize();
        }
        return new Paging<>(
                page, page.size() == rest.size() ? "" : encode(rest.get(page.size() - 1).name()));
    }

    private static String encode(String name) {
        var text = (MARK + name).getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
    }

    private static String decode(String token) throws VolumeException {
        try {
            var text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            if (text.startsWith(MARK)) {
                return text.substring(MARK.length());
            }
        } catch (IllegalArgumentException _) {
            throw badToken();
        }
        throw badToken();
    }

    private static VolumeException badToken() {
        return new VolumeException(
                StatusCode.ABORTED, "starting_token was not issued by this driver");
    }
}
