package lvms.k8s.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;

import java.util.List;

/** An object gets no owner for which the garbage collector would delete it. */
@Behaviour(82)
class ControlledByTests {
    private static final KubeObject SET =
            KubeObject.create(Types.DAEMON_SET, ObjectKey.of("ns", "set"))
                    .with("uid-set", "metadata", "uid");
    private static final KubeObject NODE =
            KubeObject.create(Types.NODE, ObjectKey.cluster("n1"))
                    .with("uid-node", "metadata", "uid");

    private static KubeObject pod(String namespace) {
        return KubeObject.create(Types.POD, ObjectKey.of(namespace, "pod"));
    }

    @Test
    void theOwnerIsInTheSameNamespaceOrInNone() {
        assertEquals(
                List.of(OwnerReference.controllerOf(SET)),
                pod("ns").controlledBy(SET).ownerReferences());
        assertEquals(
                List.of(OwnerReference.controllerOf(NODE)),
                pod("ns").controlledBy(NODE).ownerReferences());
    }

    @Test
    void anOwnerInAnotherNamespaceIsRefused() {
        var pod = pod("other");
        assertThrows(IllegalArgumentException.class, () -> pod.controlledBy(SET));
        var node = KubeObject.create(Types.NODE, ObjectKey.cluster("n2"));
        assertThrows(IllegalArgumentException.class, () -> node.controlledBy(SET));
    }

    @Test
    void anObjectHasOneController() {
        var owned = pod("ns").controlledBy(SET);
        assertEquals(owned, owned.controlledBy(SET));
        assertThrows(IllegalArgumentException.class, () -> owned.controlledBy(NODE));
    }
}
