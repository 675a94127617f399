package lvms.k8s.client;

import lvms.k8s.object.Names;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

import java.nio.charset.StandardCharsets;

/** Paths and queries. Everything that comes from outside is checked or percent-encoded. */
final class Urls {
    private static final String UNRESERVED = "-._~";
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private Urls() {}

    static String groupVersion(ResourceType type) {
        return type.group().isEmpty()
                ? "/api/" + type.version()
                : "/apis/" + type.group() + "/" + type.version();
    }

    static String collection(ResourceType type, String namespace) {
        var base = groupVersion(type);
        if (type.namespaced() && !namespace.isEmpty()) {
            base += "/namespaces/" + segment(namespace);
        } else if (!namespace.isEmpty()) {
            throw new IllegalArgumentException(type + " has no namespaces: " + namespace);
        }
        return base + "/" + type.plural();
    }

    static String object(ResourceType type, ObjectKey key) {
        if (type.namespaced() && key.namespace().isEmpty()) {
            throw new IllegalArgumentException(type + " needs a namespace: " + key);
        }
        return collection(type, key.namespace()) + "/" + segment(key.name());
    }

    private static String segment(String text) {
        if (!Names.isPathSegment(text)) {
            throw new IllegalArgumentException("not a name: \"" + text + "\"");
        }
        return encode(text);
    }

    /** A query that is built parameter by parameter; empty values are left out. */
    static final class Query {
        private final StringBuilder text = new StringBuilder();

        Query with(String name, String value) {
            if (!value.isEmpty()) {
                text.append(text.isEmpty() ? '?' : '&').append(name).append('=');
                text.append(encode(value));
            }
            return this;
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }

    static String encode(String text) {
        var encoded = new StringBuilder(text.length() + 16);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0)) {
                encoded.append(c);
            } else {
                encoded.append('%').append(HEX[c >> 4]).append(HEX[c & 0xf]);
            }
        }
        return encoded.toString();
    }
}
