package lvms.k8s.config;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * The credentials that were sent of late, which a text from outside may repeat: a request that was
 * sent before a token was replaced may be answered after that. Any thread.
 */
final class SentSecrets {
    private static final int KEPT = 4;
    private static final String BASIC = "Basic ";

    /** A shorter one is a test's, and its letters are in many words. */
    private static final int SHORTEST = 8;

    private volatile List<String> headers = List.of();

    /** Notes the value of a header that is sent. */
    void sent(String header) {
        if (!headers.contains(header)) {
            add(header);
        }
    }

    private synchronized void add(String header) {
        var all = new ArrayList<>(List.of(header));
        headers.stream().limit(KEPT - 1).forEach(all::add);
        headers = List.copyOf(all);
    }

    /** Returns a text without them. */
    String redacted(String text) {
        var result = text;
        for (var header : headers) {
            result = without(header, result);
        }
        return result;
    }

    /** Returns a text without what the value of a header says of us. */
    static String without(String header, String text) {
        var credentials = header.substring(header.indexOf(' ') + 1);
        var secrets =
                header.startsWith(BASIC)
                        ? Stream.concat(Stream.of(credentials), password(credentials))
                        : Stream.of(credentials);
        return secrets.filter(secret -> secret.length() >= SHORTEST)
                .reduce(text, (left, secret) -> left.replace(secret, "***"));
    }

    /** User and password together come first: the one contains the other. */
    private static Stream<String> password(String base64) {
        var both = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        return Stream.of(both, both.substring(both.indexOf(':') + 1));
    }
}
