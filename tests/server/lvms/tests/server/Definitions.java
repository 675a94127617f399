package lvms.tests.server;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.CustomTypes;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Custom resource definitions from files, as a test finds or leaves them. */
public final class Definitions {
    /** Every definition that the product brings along. */
    public static final List<String> ALL =
            List.of(
                    "lvm.topolvm.io_lvmclusters",
                    "lvm.topolvm.io_lvmvolumegroupnodestatuses",
                    "lvm.topolvm.io_lvmvolumegroups",
                    "topolvm.io_logicalvolumes");

    /** Those that only who comes from NativeStor has. */
    public static final List<String> NATIVESTOR =
            List.of("topolvm.cybozu.com_topolvmclusters", "nativestor.alauda.io_rawdevices");

    private Definitions() {}

    /** Installs shipped definitions by the names of their files, and waits until they serve. */
    public static void install(KubeClient kube, List<String> names) throws Exception {
        for (var name : names) {
            install(kube, file(name));
        }
    }

    /** Returns where a shipped definition is. */
    public static Path file(String name) {
        var folder = NATIVESTOR.contains(name) ? "deploy/nativestor/crds" : "deploy/base/crds";
        return Path.of(folder, name + ".yaml");
    }

    /**
     * Installs the definitions of a file and waits for their conditions, not for discovery: clients
     * remember that a type is not served.
     */
    public static void install(KubeClient kube, Path file) throws Exception {
        for (var definition : read(file)) {
            CustomTypes.install(kube, definition); // the test before may have asked it to go
            forgetTests(kube, kube.get(Types.CRD, definition.key()), definition);
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

    public static List<KubeObject> read(Path file) throws IOException {
        return Yaml.readAll(Files.readString(file)).stream()
                .map(document -> KubeObject.of(document.asObject()))
                .toList();
    }
}
