package lvms.k8s.testkit;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Custom resource types that a test brings along. It asks over the API alone, so any API server
 * will do.
 *
 * <p>Source: Kubernetes, "Extend the Kubernetes API with CustomResourceDefinitions".
 */
public final class CustomTypes {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(10);

    private CustomTypes() {}

    /**
     * Installs every definition of a YAML text, as {@link #install(KubeClient, KubeObject)} does.
     *
     * @return the types, in the order of the text
     */
    public static List<ResourceType> install(KubeClient kube, String yaml)
            throws ApiException, InterruptedException, TimeoutException {
        var types = new ArrayList<ResourceType>();
        for (var document : Yaml.readAll(yaml)) {
            types.add(install(kube, KubeObject.of(document.asObject())));
        }
        return List.copyOf(types);
    }

    /**
     * Applies a definition and waits until its type can be listed. If the same definition is being
     * deleted, its end is awaited first.
     *
     * @param kube a client with a field manager
     * @return the type, in the first version that the definition serves
     * @throws IllegalArgumentException if the definition names no type that is served
     * @throws ApiException if the server refuses the definition
     * @throws TimeoutException if the server takes more than 60 s for a step
     */
    public static ResourceType install(KubeClient kube, KubeObject definition)
            throws ApiException, InterruptedException, TimeoutException {
        var type = type(definition);
        var key = definition.key();
        await(key + " is gone", () -> !terminating(kube, key));
        kube.apply(Types.CRD, definition);
        await(key + " is established", () -> established(kube, key));
        // Not by discovery: clients remember that a type is not served.
        await(key + " is served", () -> listed(kube, type));
        return type;
    }

    private static ResourceType type(KubeObject definition) {
        var version =
                definition.objects("spec", "versions").stream()
                        .filter(it -> it.flag("served").orElse(false))
                        .findFirst()
                        .flatMap(it -> it.text("name"));
        return new ResourceType(
                text(definition, "spec", "group"),
                version.orElseThrow(() -> lacks(definition, "a version that is served")),
                text(definition, "spec", "names", "kind"),
                text(definition, "spec", "names", "plural"),
                text(definition, "spec", "scope").equals("Namespaced"));
    }

    private static String text(KubeObject definition, String... path) {
        return definition.text(path).orElseThrow(() -> lacks(definition, String.join(".", path)));
    }

    private static IllegalArgumentException lacks(KubeObject definition, String what) {
        return new IllegalArgumentException("definition " + definition.name() + " lacks " + what);
    }

    private static boolean terminating(KubeClient kube, ObjectKey key)
            throws ApiException, InterruptedException {
        return kube.find(Types.CRD, key).filter(KubeObject::terminating).isPresent();
    }

    private static boolean established(KubeClient kube, ObjectKey key)
            throws ApiException, InterruptedException {
        return kube.get(Types.CRD, key)
                .condition("Established")
                .map(Condition::holds)
                .orElse(false);
    }

    private static boolean listed(KubeClient kube, ResourceType type)
            throws ApiException, InterruptedException {
        try {
            kube.list(type, ListOptions.all());
            return true;
        } catch (ApiException.NotFound | ApiException.Misdirected _) {
            return false;
        }
    }

    private interface State {
        boolean holds() throws ApiException, InterruptedException;
    }

    private static void await(String what, State state)
            throws ApiException, InterruptedException, TimeoutException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!state.holds()) {
            if (System.nanoTime() > end) {
                throw new TimeoutException("not within " + PATIENCE + ": " + what);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }
}
