package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.object;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.VolumeAffinity;
import lvms.k8s.object.KubeObject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** People are told what they cannot see: that no node has room, and where a volume lies. */
class HintTests {
    private static KubeObject claim(String size) {
        return object("{'spec':{'resources':{'requests':{'storage':'" + size + "'}}}}");
    }

    private static KubeObject node(String name, String deviceClass, String free) {
        return Clusters.node(name)
                .with(free, "metadata", "annotations", "capacity.topolvm.io/" + deviceClass);
    }

    @Test
    void namesWhatEachNodeHasWhenNoneHasRoom() {
        assertEquals(
                Optional.of(
                        "Requested storage (2.0GiB) is greater than available capacity on any node"
                                + " (n1: 512.0MiB, n2: 1.5GiB)"),
                ClaimCapacityHint.hint(
                        claim("2Gi"),
                        Driver.TOPOLVM.capacityAnnotation("vg1"),
                        List.of(
                                node("n2", "vg1", "1610612736"),
                                node("n1", "vg1", "536870912"),
                                node("n3", "other", "99999999999"))));
    }

    @Test
    void saysNothingWhenItFitsExactly() {
        assertEquals(
                Optional.empty(),
                ClaimCapacityHint.hint(
                        claim("1Gi"),
                        Driver.TOPOLVM.capacityAnnotation("vg1"),
                        List.of(node("n1", "vg1", "1073741824"))));
    }

    @Test
    void aClaimWithoutClassLooksAtTheDefault() {
        assertEquals(
                Optional.empty(),
                ClaimCapacityHint.hint(
                        claim("1Gi"),
                        Driver.TOPOLVM.capacityAnnotation(""),
                        List.of(node("n1", "00default", "1073741824"))));
    }

    @Test
    void aReportThatCannotBeReadSaysNothingOfOtherNodes() {
        assertEquals(
                Optional.empty(),
                ClaimCapacityHint.hint(
                        claim("1Gi"),
                        Driver.TOPOLVM.capacityAnnotation("vg1"),
                        List.of(node("n1", "vg1", "much"), node("n2", "vg1", "1073741824"))));
    }

    @ParameterizedTest
    @CsvSource({
        "0,0.0B",
        "1023,1023.0B",
        "1024,1.0KiB",
        "1610612736,1.5GiB",
        "1125899906842624,1.0PiB"
    })
    void sizesHaveOneDecimalAndABinaryUnit(BigDecimal bytes, String text) {
        assertEquals(text, ClaimCapacityHint.text(bytes));
    }

    @Test
    void aVolumeLiesOnTheNodeOfItsTopology() {
        var volume =
                object(
                        "{'spec':{'nodeAffinity':{'required':{'nodeSelectorTerms':["
                                + "{'matchExpressions':["
                                + "{'key':'zone','operator':'In','values':['z']},"
                                + "{'key':'topology.topolvm.io/node','operator':'In',"
                                + "'values':['n1']}]}]}}}}");
        assertEquals(Optional.of("n1"), VolumeAffinity.node(volume, Driver.TOPOLVM));
        assertEquals(Optional.empty(), VolumeAffinity.node(object("{'spec':{}}"), Driver.TOPOLVM));
    }
}
