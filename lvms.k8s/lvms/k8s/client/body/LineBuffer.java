package lvms.k8s.client.body;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Cuts bytes into lines. A read may end anywhere, even within a character. */
public final class LineBuffer implements ByteFeed.Sink {
    private final int maxBytes;
    private byte[] bytes = new byte[4096];
    private int start;
    private int scanned;
    private int end;

    public LineBuffer(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public void accept(ByteBuffer more) throws OversizedBodyException {
        int size = more.remaining();
        makeRoom(size);
        more.get(bytes, end, size);
        end += size;
    }

    private void makeRoom(int size) throws OversizedBodyException {
        if (end + size <= bytes.length) {
            return;
        }
        int kept = end - start;
        int needed = kept + size;
        if (needed > maxBytes) {
            throw new OversizedBodyException("a line", maxBytes);
        }
        var target = needed <= bytes.length ? bytes : new byte[Math.max(needed, 2 * kept)];
        System.arraycopy(bytes, start, target, 0, kept);
        bytes = target;
        scanned -= start;
        start = 0;
        end = kept;
    }

    /**
     * Returns the next complete line that is not blank, without its end: a view, until more bytes
     * are accepted.
     */
    public Optional<ByteBuffer> next() {
        while (scanned < end) {
            if (bytes[scanned++] == '\n') {
                int from = start;
                start = scanned;
                if (!blank(from, scanned - 1)) {
                    return Optional.of(ByteBuffer.wrap(bytes, from, scanned - 1 - from));
                }
            }
        }
        shrinkWhenEmpty();
        return Optional.empty();
    }

    /** Returns whether a line has begun but not ended. */
    public boolean hasPart() {
        return !blank(start, end);
    }

    private void shrinkWhenEmpty() {
        if (start == end) {
            start = 0;
            scanned = 0;
            end = 0;
            if (bytes.length > 1 << 16) {
                bytes = Arrays.copyOf(bytes, 4096); // one big event must not hold memory for ever
            }
        }
    }

    private boolean blank(int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\r' && bytes[i] != '\n' && bytes[i] != '\t') {
                return false;
            }
        }
        return true;
    }
}
