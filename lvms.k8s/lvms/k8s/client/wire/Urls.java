package lvms.k8s.client.wire;

import lvms.k8s.object.Names;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.PercentEncoding;
import lvms.k8s.object.ResourceType;

/** Paths and queries. All input from outside is checked or percent-encoded. */
public final class Urls {
    private Urls() {}

    public static String groupVersion(ResourceType type) {
        return type.group().isEmpty()
                ? "/api/" + type.version()
                : "/apis/" + type.group() + "/" + type.version();
    }

    public static String collection(ResourceType type, String namespace) {
        var base = groupVersion(type);
        if (type.namespaced() && !namespace.isEmpty()) {
            base += "/namespaces/" + segment(namespace);
        } else if (!namespace.isEmpty()) {
            throw new IllegalArgumentException(type + " has no namespaces: " + namespace);
        }
        return base + "/" + type.plural();
    }

    public static String object(ResourceType type, ObjectKey key) {
        if (type.namespaced() && key.namespace().isEmpty()) {
            throw new IllegalArgumentException(type + " needs a namespace: " + key);
        }
        return collection(type, key.namespace()) + "/" + segment(key.name());
    }

    private static String segment(String text) {
        if (!Names.isPathSegment(text)) {
            throw new IllegalArgumentException("not a name: \"" + text + "\"");
        }
        return PercentEncoding.of(text);
    }

    /** A query built parameter by parameter; empty values are left out. */
    public static final class Query {
        private final StringBuilder text = new StringBuilder();

        public Query with(String name, String value) {
            if (!value.isEmpty()) {
                text.append(text.isEmpty() ? '?' : '&').append(name).append('=');
                text.append(PercentEncoding.of(value));
            }
            return this;
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
