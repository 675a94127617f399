package lvms.tests.bench.k8s;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Answers of HTTP/1.1 on one connection, in chunks as large as what is flushed. One thread. */
final class Chunks extends OutputStream {
    private static final int SIZE = 1 << 18;
    private static final int HEAD = 10; // eight hexadecimal digits and the end of their line

    private final OutputStream out;
    private final byte[] bytes = new byte[HEAD + SIZE + 2];
    private int end = HEAD;

    Chunks(OutputStream out) {
        this.out = out;
    }

    void head(String status) throws IOException {
        out.write(
                ascii(
                        "HTTP/1.1 "
                                + status
                                + "\r\nContent-Type: application/json\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n"));
    }

    void write(String text) throws IOException {
        write(ascii(text));
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one});
    }

    @Override
    public void write(byte[] more, int offset, int length) throws IOException {
        if (end + length > HEAD + SIZE) {
            flush();
        }
        System.arraycopy(more, offset, bytes, end, length); // a pod is smaller than a chunk
        end += length;
    }

    @Override
    public void flush() throws IOException {
        if (end == HEAD) {
            return;
        }
        var head = ascii("%08x\r\n".formatted(end - HEAD));
        System.arraycopy(head, 0, bytes, 0, HEAD);
        bytes[end++] = '\r';
        bytes[end++] = '\n';
        out.write(bytes, 0, end);
        end = HEAD;
    }

    void end() throws IOException {
        flush();
        out.write(ascii("0\r\n\r\n"));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
