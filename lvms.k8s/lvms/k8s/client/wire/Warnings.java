package lvms.k8s.client.wire;

import static java.lang.System.Logger.Level.WARNING;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Logs each distinct {@code Warning} header of the server once. */
public final class Warnings {
    private static final System.Logger LOG = System.getLogger(Warnings.class.getName());
    private static final int MAX_REMEMBERED = 256;

    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    /** Reads the values of the {@code Warning} headers of an answer. */
    public void report(List<String> headers) {
        for (var header : headers) {
            var text = text(header).map(Excerpt::ofMessage);
            if (text.isPresent() && reported.size() < MAX_REMEMBERED && reported.add(text.get())) {
                LOG.log(WARNING, () -> "the API server warns: " + text.get());
            }
        }
    }

    /** Reads {@code 299 agent "text"}, where the text is a quoted string (RFC 7234, 5.5). */
    static Optional<String> text(String header) {
        int open = header.indexOf('"');
        if (open < 0) {
            return Optional.empty();
        }
        var text = new StringBuilder();
        for (int i = open + 1; i < header.length(); i++) {
            char c = header.charAt(i);
            if (c == '"') {
                return Optional.of(text.toString());
            }
            if (c == '\\' && i + 1 < header.length()) {
                c = header.charAt(++i);
            }
            text.append(c);
        }
        return Optional.empty();
    }
}
