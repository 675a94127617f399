package lvms.k8s.informer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.k8s.ServerCase;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.ResourceVersions;
import lvms.k8s.object.Types;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An API server answers the question for a version where nothing is, and as freshly. */
@Timeout(120)
class ProbeTests extends ServerCase {
    /** Asks after a write; the answer names no object, and the version of the write or a later. */
    private void ask(ResourceType type, ObjectKey key, ListOptions options) throws Exception {
        var made = KubeObject.create(type, key).with("x", "metadata", "labels", "mine");
        var written = client.create(type, made);
        var nowhere = Probe.nowhere(type, options);
        assertEquals(0, client.list(type, nowhere).size());
        var version = client.collectionVersion(type, nowhere);
        assertFalse(version.isEmpty());
        assertFalse(
                ResourceVersions.newer(written.resourceVersion(), version),
                () -> version + " after " + written.resourceVersion());
    }

    @Test
    @Behaviour(107)
    void aVersionIsReadWhereNothingIs() throws Exception {
        var all = ListOptions.all();
        for (var options : new ListOptions[] {all, all.labels("mine=x"), all.onlyMetadata()}) {
            var name = "a" + System.nanoTime();
            ask(Types.CONFIG_MAP, ObjectKey.of("default", name), options);
            ask(
                    Types.CONFIG_MAP,
                    ObjectKey.of("default", name + "b"),
                    options.namespace("default"));
            ask(Types.NAMESPACE, ObjectKey.cluster(name), options);
        }
    }
}
