package lvms.k8s.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes the few DER forms that an X.509 certificate needs (ITU-T X.690). */
final class Der {
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final DateTimeFormatter GENERALIZED =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private Der() {}

    static byte[] tagged(int tag, byte[]... contents) {
        var body = concat(contents);
        var out = new ByteArrayOutputStream();
        out.write(tag);
        if (body.length < 0x80) {
            out.write(body.length);
        } else {
            var length = BigInteger.valueOf(body.length).toByteArray();
            int skip = length[0] == 0 ? 1 : 0;
            out.write(0x80 | (length.length - skip));
            out.write(length, skip, length.length - skip);
        }
        out.writeBytes(body);
        return out.toByteArray();
    }

    static byte[] sequence(byte[]... contents) {
        return tagged(SEQUENCE, contents);
    }

    static byte[] set(byte[]... contents) {
        return tagged(SET, contents);
    }

    static byte[] integer(BigInteger value) {
        return tagged(0x02, value.toByteArray());
    }

    static byte[] trueValue() {
        return tagged(0x01, new byte[] {(byte) 0xff});
    }

    static byte[] octets(byte[]... contents) {
        return tagged(0x04, contents);
    }

    /** A bit string; {@code unused} counts the bits of the last byte that do not belong to it. */
    static byte[] bits(int unused, byte[] contents) {
        return tagged(0x03, new byte[] {(byte) unused}, contents);
    }

    static byte[] utf8(String text) {
        return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] time(Instant time) {
        return tagged(0x18, GENERALIZED.format(time).getBytes(StandardCharsets.US_ASCII));
    }

    /** An object identifier whose arcs fit into an int. */
    static byte[] oid(int... arcs) {
        var out = new ByteArrayOutputStream();
        out.write(arcs[0] * 40 + arcs[1]);
        for (int i = 2; i < arcs.length; i++) {
            for (int shift = 28; shift > 0; shift -= 7) {
                if (arcs[i] >>> shift != 0) {
                    out.write(0x80 | (arcs[i] >>> shift & 0x7f));
                }
            }
            out.write(arcs[i] & 0x7f);
        }
        return tagged(0x06, out.toByteArray());
    }

    private static byte[] concat(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
