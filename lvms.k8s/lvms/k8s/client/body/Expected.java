package lvms.k8s.client.body;

import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;

import java.util.Optional;

/**
 * What the body of a successful answer has to be. Gateways, and other servers that took over an
 * address, answer 200 too, with JSON of their own; what is read from that is not so.
 */
@FunctionalInterface
public interface Expected {
    /**
     * Checks a body.
     *
     * @throws JsonException if it is something else; it says nothing of what came instead, which
     *     may be a secret
     */
    void check(ObjectTree body);

    /**
     * An object.
     *
     * @param name empty if the server chooses one, or needs none
     */
    static Expected object(ResourceType type, String name) {
        return body ->
                require(
                        isObject(body, type, name),
                        "the answer is not " + type.kind() + " " + name);
    }

    /** What a subresource shows: every object has an API version and a kind. */
    static Expected someObject() {
        return body ->
                require(
                        has(body, "apiVersion") && has(body, "kind"),
                        "the answer has no API version or no kind");
    }

    /** What follows the deletion of an object: it, as it is or was, or a Status. */
    static Expected deletion(ResourceType type, String name) {
        return body ->
                require(
                        isSuccess(body) || isObject(body, type, name),
                        "the answer is neither success nor " + type.kind() + " " + name);
    }

    /** What follows the deletion of a collection: its objects or a Status. */
    static Expected deletionOfAll(ResourceType type) {
        return body ->
                require(
                        isSuccess(body) || isList(body, type),
                        "the answer is neither success nor a list of " + type);
    }

    /**
     * A list.
     *
     * @param metadataOnly whether metadata alone was asked for, which a server need not know
     */
    static Expected list(ResourceType type, boolean metadataOnly) {
        return body ->
                require(
                        isList(body, type)
                                || metadataOnly
                                        && is(body, "meta.k8s.io/v1", "PartialObjectMetadataList"),
                        "the answer is not a list of " + type);
    }

    /** An element of a list, whose type has been filled in if the server left it out. */
    static Expected item(ResourceType type, boolean metadataOnly) {
        return body ->
                require(
                        is(body, type.apiVersion(), type.kind())
                                || metadataOnly && isMetadata(body),
                        "the list of " + type + " has something else in it");
    }

    /** The types of one version of a group; in the core group it has no API version. */
    static Expected resources() {
        return body ->
                require(
                        body.text("kind").equals(Optional.of("APIResourceList")),
                        "the answer is not a list of types");
    }

    /**
     * The metadata of an object, or all of it, since a server need not know how to leave it out.
     */
    static Expected metadata(ResourceType type, String name) {
        return body ->
                require(
                        isObject(body, type, name) || isMetadata(body) && isNamed(body, name),
                        "the answer is not the metadata of " + type + " " + name);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new JsonException(otherwise);
        }
    }

    private static boolean isObject(ObjectTree body, ResourceType type, String name) {
        return is(body, type.apiVersion(), type.kind()) && (name.isEmpty() || isNamed(body, name));
    }

    private static boolean isNamed(ObjectTree body, String name) {
        return body.text("metadata", "name").equals(Optional.of(name));
    }

    private static boolean isMetadata(ObjectTree body) {
        return is(body, "meta.k8s.io/v1", "PartialObjectMetadata");
    }

    private static boolean isSuccess(ObjectTree body) {
        return is(body, "v1", "Status") && body.text("status").equals(Optional.of("Success"));
    }

    /**
     * The definition of a custom type chooses how its lists are called; those of the groups without
     * a domain are Kubernetes' own.
     */
    private static boolean isList(ObjectTree body, ResourceType type) {
        return type.group().contains(".")
                ? body.text("apiVersion").equals(Optional.of(type.apiVersion()))
                        && has(body, "kind")
                        && !body.text("kind").equals(Optional.of(type.kind()))
                : is(body, type.apiVersion(), type.kind() + "List");
    }

    private static boolean is(ObjectTree body, String apiVersion, String kind) {
        return body.text("apiVersion").equals(Optional.of(apiVersion))
                && body.text("kind").equals(Optional.of(kind));
    }

    private static boolean has(ObjectTree body, String member) {
        return body.text(member).filter(text -> !text.isEmpty()).isPresent();
    }
}
