package lvms.operator.cluster;

import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.api.LvmVolumeGroup;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** The flag for NativeStor is there before its types: the operator waits, and finds them. */
class MissingTypeTests {
    @Test
    void aTypeThatComesLaterIsFound() throws Exception {
        try (var site = Site.open()) {
            site.nativeStorWithoutTypes(Map.of());
            site.node("n1");
            site.startOperator();
            Site.await(
                    "the operator asks for the type",
                    () ->
                            site.server.faults().requests().stream()
                                    .anyMatch(r -> r.target().contains("/topolvmclusters")));
            assertFalse(site.ready(), "nobody knows whether a TopolvmCluster is in charge");
            site.nativeStor(Map.of());
            site.kube.create(
                    TopolvmCluster.TYPE,
                    KubeObject.create(TopolvmCluster.TYPE, ObjectKey.of(NAMESPACE, "topolvm"))
                            .with(
                                    Yaml.read(
                                            "{topolvmVersion: x, storage: "
                                                    + TopolvmClusterCase.EVERYTHING
                                                    + "}"),
                                    "spec"));
            Site.await("the cluster is carried out", () -> site.groups().size() == 1);
            assertEquals(
                    List.of("fast"),
                    site.groups().stream()
                            .map(group -> LvmVolumeGroup.of(group).deviceClass())
                            .toList());
        }
    }
}
