package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.client.ApiException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The product on the cluster that all suites share, and a namespace for each test. After each test
 * nothing of it may be left, and disk, objects and mounts must agree.
 */
public abstract class InACluster {
    private static final Duration SETTLED = Duration.ofSeconds(60);

    private static Product product;
    private Sandbox box;

    @BeforeAll
    static void install() throws Exception {
        product = Product.shared();
    }

    /** Nothing enforces NetworkPolicies in this cluster. */
    @AfterAll
    static void allConnectionsAreAllowed() throws Exception {
        assertEquals(List.of(), OwnTraffic.of(product).refused());
    }

    @AfterEach
    final void nothingIsLeft() throws Exception {
        if (box != null) {
            box.clear();
            requireAgreement();
        }
    }

    protected static Product product() {
        return product;
    }

    /** Returns the namespace of this test, which is made when it is asked for. */
    protected final Sandbox box() throws ApiException, InterruptedException {
        if (box == null) {
            box = Sandbox.open(product, getClass().getSimpleName().toLowerCase(Locale.ROOT));
        }
        return box;
    }

    /** Waits until a PersistentVolume, or another object of the cluster, is gone. */
    protected static void awaitGone(ResourceType type, KubeObject object) throws Exception {
        product.patience()
                .until(
                        object.name() + " is gone",
                        () -> product.kube().find(type, object.key()).isEmpty());
    }

    /** Fails with every disagreement of disk, objects and mounts while the test's volumes live. */
    protected static void requireAgreement() throws InterruptedException {
        product.checker().awaitAgreement(SETTLED);
    }
}
