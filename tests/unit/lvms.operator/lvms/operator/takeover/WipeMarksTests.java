package lvms.operator.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.operator.cluster.Clusters;
import lvms.operator.uninstall.Item;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** A node is marked as wiped where the predecessor has certainly made the volume group. */
class WipeMarksTests {
    private static final List<LvmVolumeGroupNodeStatus> NODES =
            List.of(
                    status("n3", "'name':'vg1','status':'Degraded','devices':['/dev/b']"),
                    status("n1", "'name':'vg1','status':'Ready','devices':['/dev/a']"),
                    status("failed", "'name':'vg1','status':'Failed','devices':[]"),
                    status("other", "'name':'vg2','status':'Ready','devices':['/dev/c']"));

    private static LvmVolumeGroupNodeStatus status(String node, String entry) {
        return LvmVolumeGroupNodeStatus.of(
                Clusters.object(
                        "{'metadata':{'name':'%s'},'spec':{'nodeStatus':[{%s}]}}"
                                .formatted(node, entry)));
    }

    private static Optional<String> missing(String selector, String annotations) {
        var group =
                Clusters.object(
                        "{'metadata':{'name':'vg1','namespace':'ns','annotations':{%s}},"
                                        .formatted(annotations)
                                + "'spec':{%s}}".formatted(selector));
        return WipeMarks.missing(new Item(LvmVolumeGroup.TYPE, group), NODES)
                .map(step -> step.text().replaceFirst(".* wiped before on ", ""));
    }

    private static String wiping(boolean flag) {
        return "'deviceSelector':{'paths':['/dev/a'],'forceWipeDevicesAndDestroyAllData':%b}"
                .formatted(flag);
    }

    @Test
    void nodesThatHaveTheGroupAreMarked() {
        assertEquals(Optional.of("n1, n3"), missing(wiping(true), ""));
    }

    @Test
    void aMarkThatIsThereStaysAsItIs() {
        var first = "'wiped.devices.lvms.openshift.io/n1':'then'";
        assertEquals(Optional.of("n3"), missing(wiping(true), first));
        var both = first + ",'wiped.devices.lvms.openshift.io/n3':'then'";
        assertEquals(Optional.empty(), missing(wiping(true), both));
    }

    @Test
    void whatNobodyAskedToWipeIsNotMarked() {
        assertEquals(Optional.empty(), missing(wiping(false), ""));
        assertEquals(Optional.empty(), missing("'deviceSelector':{'paths':['/dev/a']}", ""));
        assertEquals(Optional.empty(), missing("", ""));
    }
}
