package lvms.operator.csi;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * Pages of a list that is sorted by name. A token says "after this name", so it stays valid when
 * that volume is deleted between two pages.
 *
 * @param volumes this page
 * @param nextToken token of the next page, empty after the last one
 */
record Paging(List<LogicalVolume> volumes, String nextToken) {
    private static final String MARK = "after:";

    /**
     * Returns one page of a list.
     *
     * @param sorted all volumes, sorted by name
     * @param maxEntries 0 for no limit
     * @throws VolumeException INVALID_ARGUMENT for a negative limit, ABORTED for a bad token
     */
    static Paging of(List<LogicalVolume> sorted, int maxEntries, String token)
            throws VolumeException {
        if (maxEntries < 0) {
            throw new VolumeException(StatusCode.INVALID_ARGUMENT, "max_entries is negative");
        }
        var after = token.isEmpty() ? "" : decode(token);
        var rest = sorted.stream().filter(volume -> volume.name().compareTo(after) > 0).toList();
        if (maxEntries == 0 || rest.size() <= maxEntries) {
            return new Paging(rest, "");
        }
        var page = rest.subList(0, maxEntries);
        return new Paging(page, encode(page.getLast().name()));
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
