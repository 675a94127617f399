package lvms.k8s.client.wire;

import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * One request, which may be sent more than once.
 *
 * @param verb name of the API verb, for messages and metrics
 * @param method HTTP method
 * @param path path and query, below the server's base URL
 * @param body body, null for none
 * @param contentType type of the body
 * @param repeat what may be sent again after a failure
 * @param accept type of the answer
 * @param gzip whether to ask for a compressed answer
 * @param subject what it is about, for messages: {@code pods default/a}
 * @param object the object that the path names; empty for a collection and other paths
 */
public record Call(
        String verb,
        String method,
        String path,
        byte[] body,
        String contentType,
        Repeat repeat,
        String accept,
        boolean gzip,
        String subject,
        Optional<Named> object) {
    private static final byte[] NO_BODY = null;
    private static final String JSON = "application/json";

    /** All types of all groups in one answer, since Kubernetes 1.30. */
    private static final String DISCOVERY =
            JSON + ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    /** What may be sent again when it is not known whether the server acted. */
    public enum Repeat {
        /** It only reads. */
        READ,
        /** Sending it again changes nothing more. */
        IDEMPOTENT,
        /** Send it again only if the server certainly did not act. */
        NEVER
    }

    /**
     * An object as the server's errors name it.
     *
     * @param plural its resource, such as {@code pods}
     */
    public record Named(String plural, String name) {}

    public static Call read(String verb, String path, String subject) {
        return withoutBody(verb, path, Repeat.READ, JSON, false, subject);
    }

    public static Call list(String path, String subject) {
        return withoutBody("list", path, Repeat.READ, JSON, true, subject);
    }

    /** A log is text, and its errors are JSON. */
    public static Call log(String path, String subject) {
        return log(path, subject, true);
    }

    /** A compressed one would come in large pieces, and late. */
    public static Call growingLog(String path, String subject) {
        return log(path, subject, false);
    }

    private static Call log(String path, String subject, boolean gzip) {
        return withoutBody("get log of", path, Repeat.READ, JSON + ", */*", gzip, subject);
    }

    /** What runs in a pod may change anything, so it is never repeated. */
    public static Call upgrade(String verb, String path, String subject) {
        return withoutBody(verb, path, Repeat.NEVER, JSON, false, subject);
    }

    public static Call discovery(String path) {
        return withoutBody("get", path, Repeat.READ, DISCOVERY, false, path);
    }

    /** The types of one version of a group. */
    public static Call resources(String path) {
        return read("get", path, path);
    }

    private static Call withoutBody(
            String verb, String path, Repeat repeat, String accept, boolean gzip, String subject) {
        return new Call(
                verb, "GET", path, NO_BODY, "", repeat, accept, gzip, subject, Optional.empty());
    }

    /** A write whose body is an object. */
    public static Call write(
            String verb, String method, String path, String json, Repeat repeat, String subject) {
        return write(verb, method, path, json, JSON, repeat, subject);
    }

    /**
     * A patch, or an apply, which is one.
     *
     * @param contentType which of the kinds of patches it is
     */
    public static Call patch(
            String verb,
            String path,
            String json,
            String contentType,
            Repeat repeat,
            String subject) {
        return write(verb, "PATCH", path, json, contentType, repeat, subject);
    }

    private static Call write(
            String verb,
            String method,
            String path,
            String json,
            String contentType,
            Repeat repeat,
            String subject) {
        return new Call(
                verb,
                method,
                path,
                json.getBytes(StandardCharsets.UTF_8),
                contentType,
                repeat,
                JSON,
                false,
                subject,
                Optional.empty());
    }

    /** The same call, whose path names this object. */
    public Call of(ResourceType type, ObjectKey key) {
        var named = Optional.of(new Named(type.plural(), key.name()));
        return new Call(
                verb, method, path, body, contentType, repeat, accept, gzip, subject, named);
    }

    /** The same call, for an answer that leaves out all but the metadata. */
    public Call onlyMetadata(String kind) {
        var partial = JSON + ";as=" + kind + ";g=meta.k8s.io;v=v1," + JSON;
        return new Call(
                verb, method, path, body, contentType, repeat, partial, gzip, subject, object);
    }

    /** Returns whether it may change something. */
    public boolean writes() {
        return repeat != Repeat.READ;
    }

    /** Returns what was tried, for messages. */
    public String action() {
        return verb + " " + subject;
    }
}
