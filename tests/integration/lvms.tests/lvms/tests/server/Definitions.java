package lvms.tests.server;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Custom resource definitions from files, as a test finds or leaves them. */
public final class Definitions {
    /** Every definition that the product brings along. */
    public static final List<String> ALL =
            List.of(
                    "lvm.topolvm.io_lvmclusters",
                    "lvm.topolvm.io_lvmvolumegroupnodestatuses",
                    "lvm.topolvm.io_lvmvolumegroups",
                    "topolvm.io_logicalvolumes");

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(10);

    private Definitions() {}

    /** Installs shipped definitions by the names of their files, and waits until they serve. */
    public static void install(KubeClient kube, List<String> names) throws Exception {
        for (var name : names) {
            install(kube, Path.of("deploy/base/crds/" + name + ".yaml"));
        }
    }

    /**
     * Installs the definitions of a file and waits for their conditions, not for discovery: clients
     * remember that a type is not served.
     */
    public static void install(KubeClient kube, Path file) throws Exception {
        for (var definition : read(file)) {
            // The test before may have asked it to go.
            await(definition.name() + " is gone", () -> !terminating(kube, definition));
            forgetTests(kube, kube.apply(Types.CRD, definition), definition);
            await(definition.name() + " is established", () -> established(kube, definition));
            var type = type(definition);
            await(definition.name() + " is served", () -> listed(kube, type));
        }
    }

    /**
     * On a real server the definition outlives the test that wrote labels and annotations on it.
     */
    private static void forgetTests(KubeClient kube, KubeObject served, KubeObject shipped)
            throws ApiException, InterruptedException {
        var patch = MergePatch.of(served);
        for (var name : served.annotations().keySet()) {
            if (!shipped.annotations().containsKey(name)) {
                patch = patch.withoutAnnotation(name);
            }
        }
        for (var name : served.labels().keySet()) {
            if (!shipped.labels().containsKey(name)) {
                patch = patch.without("metadata", "labels", name);
            }
        }
        kube.mergePatch(Types.CRD, patch);
    }

    private static void await(String what, Callable<Boolean> state) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!state.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited in vain: " + what);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private static boolean terminating(KubeClient kube, KubeObject definition)
            throws ApiException, InterruptedException {
        return kube.find(Types.CRD, definition.key()).filter(KubeObject::terminating).isPresent();
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

    private static ResourceType type(KubeObject definition) {
        var version = definition.objects("spec", "versions").getFirst().at("name").asText();
        return new ResourceType(
                definition.text("spec", "group").orElseThrow(),
                version,
                definition.text("spec", "names", "kind").orElseThrow(),
                definition.text("spec", "names", "plural").orElseThrow(),
                definition.text("spec", "scope").orElseThrow().equals("Namespaced"));
    }

    public static List<KubeObject> read(Path file) throws IOException {
        return Yaml.readAll(Files.readString(file)).stream()
                .map(document -> KubeObject.of(document.asObject()))
                .toList();
    }

    private static boolean established(KubeClient kube, KubeObject definition)
            throws ApiException, InterruptedException {
        return kube.get(Types.CRD, definition.key())
                .condition("Established")
                .map(Condition::holds)
                .orElse(false);
    }
}
