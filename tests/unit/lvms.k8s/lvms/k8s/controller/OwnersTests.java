package lvms.k8s.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.client.Bodies;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.OwnerReference;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Stream;

/** An object leads to those that own it, as the garbage collector would find them. */
@Behaviour(68)
class OwnersTests {
    private static final OwnerReference SET =
            new OwnerReference("apps/v1", "DaemonSet", "set", "", true, false);
    private static final OwnerReference OLD_SET =
            new OwnerReference("apps/v1beta2", "DaemonSet", "old", "u", false, false);
    private static final OwnerReference NODE =
            new OwnerReference("v1", "Node", "n1", "u", false, false);
    private static final OwnerReference STRANGER =
            new OwnerReference("example.com/v1", "DaemonSet", "other", "u", true, true);

    private static KubeObject object(OwnerReference... owners) {
        var list = Stream.of(owners).map(OwnerReference::json).toList();
        return Bodies.object("a", "u", 1).with(ListTree.of(list), "metadata", "ownerReferences");
    }

    @Test
    void anOwnerIsFoundByItsNameWithoutAUid() {
        assertEquals(
                List.of(ObjectKey.of("ns", "set")), Owners.of(Types.DAEMON_SET).apply(object(SET)));
    }

    @Test
    void eachOfSeveralOwnersIsFoundWhateverItsVersion() {
        assertEquals(
                List.of(ObjectKey.of("ns", "set"), ObjectKey.of("ns", "old")),
                Owners.of(Types.DAEMON_SET).apply(object(SET, NODE, OLD_SET)));
    }

    @Test
    void anOwnerOfTheClusterHasNoNamespace() {
        assertEquals(
                List.of(ObjectKey.cluster("n1")), Owners.of(Types.NODE).apply(object(SET, NODE)));
    }

    @Test
    void anObjectOfTheClusterHasNoOwnerInANamespace() {
        var object = object(SET).without("metadata", "namespace");
        assertEquals(List.of(), Owners.of(Types.DAEMON_SET).apply(object));
    }

    @Test
    void onlyTheControllerIsFoundIfOnlyThatIsAskedFor() {
        assertEquals(
                List.of(ObjectKey.of("ns", "set")),
                Owners.controllers(Types.DAEMON_SET).apply(object(SET, OLD_SET)));
    }

    @Test
    void theSameKindOfAnotherGroupIsNobody() {
        assertEquals(List.of(), Owners.of(Types.DAEMON_SET).apply(object(STRANGER)));
    }
}
