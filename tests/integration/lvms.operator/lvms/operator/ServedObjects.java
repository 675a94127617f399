package lvms.operator;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.server.Looks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** A cluster in memory as a person sees it: objects as JSON with single quotes, and patience. */
public abstract class ServedObjects {
    private final Duration patience;

    protected ServedObjects(Duration patience) {
        this.patience = patience;
    }

    /** The person's client. */
    protected abstract KubeClient user();

    public final KubeObject create(ResourceType type, String text)
            throws ApiException, InterruptedException {
        var tree = object(text).toBuilder();
        tree.put("apiVersion", type.apiVersion());
        tree.put("kind", type.kind());
        return user().create(type, KubeObject.of(tree.build()));
    }

    public static ObjectTree object(String text) {
        return Json.parse(text.replace('\'', '"')).asObject();
    }

    public static ObjectKey claim(String name) {
        return ObjectKey.of("default", name);
    }

    public final void patch(ResourceType type, ObjectKey key, String patch)
            throws ApiException, InterruptedException {
        user().mergePatch(type, key, object(patch));
    }

    public final void delete(ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        user().delete(type, key, DeleteOptions.any());
    }

    public final List<KubeObject> list(ResourceType type)
            throws ApiException, InterruptedException {
        return user().list(type, ListOptions.all()).items();
    }

    public final void await(String what, Callable<Boolean> condition) throws Exception {
        Looks.until(what, patience, condition);
    }
}
