package lvms.k8s.client;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;

/** What the fake server says. */
public final class Bodies {
    private Bodies() {}

    /** A ConfigMap of namespace {@code ns}. */
    public static String configMap(String name, String uid, long version) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\"ns\","
                + "\"name\":\"%s\",\"uid\":\"%s\",\"resourceVersion\":\"%d\"}}"
                        .formatted(name, uid, version);
    }

    /** The same as an object. */
    public static KubeObject object(String name, String uid, long version) {
        return KubeObject.of((ObjectTree) Json.parse(configMap(name, uid, version)));
    }

    public static String list(long version, String... items) {
        return "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":"
                + "{\"resourceVersion\":\"%d\"},\"items\":[%s]}"
                        .formatted(version, String.join(",", items));
    }

    /** One watch event, with the end of its line. */
    public static String event(String type, String object) {
        return "{\"type\":\"%s\",\"object\":%s}\n".formatted(type, object);
    }

    /** A bookmark event. */
    public static String bookmark(long version) {
        return event(
                "BOOKMARK",
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\""
                        + version
                        + "\"}}");
    }

    /** The bookmark that ends the initial events of a streaming list. */
    public static String initialEnd(long version) {
        return event(
                "BOOKMARK",
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\""
                        + version
                        + "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}");
    }

    /** The answer of an API server that has no such ConfigMap. */
    public static String notFound(String name) {
        return notFound("configmaps", name);
    }

    /** The answer of an API server that has no such object. */
    public static String notFound(String plural, String name) {
        return ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":"
                        + "\"%s \\\"%s\\\" not found\",\"reason\":\"NotFound\",\"details\":"
                        + "{\"name\":\"%s\",\"kind\":\"%s\"},\"code\":404}")
                .formatted(plural, name, name, plural);
    }

    /** A Status failure. */
    public static String status(int code, String reason, String message) {
        return ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\","
                        + "\"message\":\"%s\","
                        + "\"reason\":\"%s\",\"code\":%d}")
                .formatted(message, reason, code);
    }
}
