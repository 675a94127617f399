package lvms.tests.server;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(10);

    private Definitions() {}

    /** Installs shipped definitions by the names of their files, and waits until they serve. */
    public static void install(KubeClient kube, List<String> names) throws Exception {
        for (var name : names) {
            install(kube, Path.of("deploy/crds/" + name + ".yaml"));
        }
    }

    /**
     * Installs the definitions of a file and waits for their conditions, not for discovery: clients
     * remember that a type is not served.
     */
    public static void install(KubeClient kube, Path file) throws Exception {
        for (var definition : read(file)) {
            kube.apply(Types.CRD, definition, "test");
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (!established(kube, definition)) {
                if (System.nanoTime() > end) {
                    throw new AssertionError(definition.name() + " is not established");
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    /** Reads the definitions of a file. */
    public static List<KubeObject> read(Path file) throws IOException {
        return Yaml.readAll(Files.readString(file)).stream()
                .map(document -> KubeObject.of(document.getAsJsonObject()))
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
