package lvms.k8s.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ObjectList;
import lvms.k8s.object.ResourceType;

import java.util.Optional;

/** Calls to an API server. Any thread may use it; every call has a deadline. */
public final class KubeClient implements AutoCloseable {
    private KubeClient() {}

    /** Opens a client; no request is sent yet. */
    public static KubeClient open(KubeConfig config, String userAgent) throws KubeConfigException {
        throw new UnsupportedOperationException();
    }

    /** Reads an object. */
    public KubeObject get(ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Reads an object; empty if there is none. */
    public Optional<KubeObject> find(ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Reads all pages of a list. */
    public ObjectList list(ResourceType type, ListOptions options)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Creates an object. */
    public KubeObject create(ResourceType type, KubeObject object, String fieldManager)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Server-side apply with force. */
    public KubeObject apply(ResourceType type, KubeObject object, String fieldManager)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Server-side apply of the status with force. */
    public KubeObject applyStatus(ResourceType type, KubeObject object, String fieldManager)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** JSON merge patch. */
    public KubeObject mergePatch(
            ResourceType type, ObjectKey key, JsonObject patch, String fieldManager)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** JSON merge patch of the status. */
    public KubeObject mergePatchStatus(
            ResourceType type, ObjectKey key, JsonObject patch, String fieldManager)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** JSON patch. */
    public KubeObject jsonPatch(
            ResourceType type, ObjectKey key, JsonArray patch, String fieldManager)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** JSON patch of the status. */
    public KubeObject jsonPatchStatus(
            ResourceType type, ObjectKey key, JsonArray patch, String fieldManager)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Replaces an object; its resource version is the precondition. */
    public KubeObject replace(ResourceType type, KubeObject object, String fieldManager)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Replaces the status of an object. */
    public KubeObject replaceStatus(ResourceType type, KubeObject object, String fieldManager)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Deletes an object; one that is not there counts as gone. */
    public Deletion delete(ResourceType type, ObjectKey key, DeleteOptions options)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Adds a finalizer with the object's resource version as precondition. */
    public KubeObject addFinalizer(
            ResourceType type, KubeObject object, String finalizer, String fieldManager)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Removes a finalizer; empty if the object is gone. */
    public Optional<KubeObject> removeFinalizer(
            ResourceType type, KubeObject object, String finalizer, String fieldManager)
            throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Returns whether the server serves the type; the answer is remembered briefly. */
    public boolean serves(ResourceType type) throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    /** Returns the git version of the server, such as {@code v1.34.1}. */
    public String serverVersion() throws ApiException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
