package lvms.k8s.client.body;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A list's body, of which no single object may be larger than a limit, so that a text without an
 * end does not fill the memory. One thread.
 */
public final class ItemStream extends FilterInputStream {
    private final long maxBytes;
    private long sinceItem;

    /** Wraps a body that has been decompressed. */
    public ItemStream(InputStream body, long maxBytes) {
        super(body);
        this.maxBytes = maxBytes;
    }

    /** Tells that an object was read whole. */
    public void itemEnded() {
        sinceItem = 0;
    }

    @Override
    public int read() throws IOException {
        int c = super.read();
        count(c < 0 ? 0 : 1);
        return c;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int size = super.read(bytes, offset, length);
        count(Math.max(0, size));
        return size;
    }

    private void count(int size) throws IOException {
        sinceItem += size;
        if (sinceItem > maxBytes) {
            throw new OversizedBodyException("an object of a list", maxBytes);
        }
    }
}
