package lvms.operator.preview;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.disk.Disk;
import lvms.operator.cluster.Clusters;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What would become of disks is said before anything is touched, by the rules of the agents. */
class ClusterPreviewTests {
    private static final String GIB_100 = "'type':'disk','sizeBytes':107374182400";
    private static final Disk FREE = disk("{'name':'/dev/sdb','links':['/dev/disk/by-id/b'],%s}");
    private static final Disk OTHER = disk("{'name':'/dev/sdc',%s}");
    private static final Disk XFS =
            disk("{'name':'/dev/sdx',%s,'content':'xfs','obstacles':['/dev/sdx has xfs']}");
    private static final Disk SYSTEM =
            disk(
                    "{'name':'/dev/sda',%s,'content':'gpt','obstacles':['/dev/sda is in use'],"
                            + "'keptFromWipe':'/dev/sda is in use'}");
    private static final Disk DATA = disk("{'name':'/dev/sdu',%s,'unknownData':true}");
    private static final Disk MEMBER =
            disk("{'name':'/dev/sdm',%s,'volumeGroup':'vg1','obstacles':['/dev/sdm is in vg1']}");

    private static Disk disk(String json) {
        return Disk.of(Clusters.tree(json.formatted(GIB_100)));
    }

    private static NodeDisks node(String name, Disk... disks) {
        return new NodeDisks(
                Clusters.node(name),
                disks.length == 0 ? Optional.empty() : Optional.of(List.of(disks)));
    }

    private static List<String> lines(String[] classes, NodeDisks... nodes) {
        var preview = ClusterPreview.of(Clusters.cluster(classes), List.of());
        return PreviewText.lines(preview.on(List.of(nodes), _ -> true));
    }

    private static List<String> lines(String deviceClass, NodeDisks... nodes) {
        return lines(new String[] {deviceClass}, nodes);
    }

    @Test
    void aClassWithoutASelectorTakesAllThatIsFree() {
        assertEquals(
                List.of(
                        "device class \"vg1\" takes all free disks, on node n1 /dev/sdb (100GiB),"
                                + " /dev/sdc (100GiB)"),
                lines("{'name':'vg1'}", node("n1", SYSTEM, FREE, XFS, DATA, OTHER)));
    }

    @ParameterizedTest
    @CsvSource({"/dev/sdb", "/dev/disk/by-id/b"})
    void aClassTakesWhatItNamesByAnyPath(String path) {
        var line =
                lines(
                        "{'name':'vg1','deviceSelector':{'paths':['" + path + "']}}",
                        node("n1", FREE, OTHER));
        assertEquals(List.of("device class \"vg1\" takes on node n1 /dev/sdb (100GiB)"), line);
    }

    @Test
    void whoNamesADiskTakesItWithItsUnknownData() {
        assertEquals(
                List.of("device class \"vg1\" takes on node n1 /dev/sdu (100GiB, unknown data)"),
                lines("{'name':'vg1','deviceSelector':{'paths':['/dev/sdu']}}", node("n1", DATA)));
    }

    @Test
    void whatIsDestroyedIsSaidFirstAndInSoManyWords() {
        assertEquals(
                List.of(
                        "device class \"vg1\" DESTROYS ALL DATA on node n1 on /dev/sdx (100GiB,"
                                + " xfs)",
                        "device class \"vg1\" takes on node n1 /dev/sdb (100GiB)"),
                lines(
                        "{'name':'vg1','deviceSelector':{'paths':['/dev/sdb','/dev/sdx'],"
                                + "'forceWipeDevicesAndDestroyAllData':true}}",
                        node("n1", FREE, XFS)));
    }

    @Test
    void aDiskInUseIsNeverWipedAndKeepsTheClassFromTheNode() {
        assertEquals(
                List.of("device class \"vg1\" takes nothing on node n1: /dev/sda is in use"),
                lines(
                        "{'name':'vg1','deviceSelector':{'paths':['/dev/sdb','/dev/sda'],"
                                + "'forceWipeDevicesAndDestroyAllData':true}}",
                        node("n1", FREE, SYSTEM)));
    }

    @Test
    void aGroupThatIsThereIsNotWiped() {
        var lines =
                lines(
                        "{'name':'vg1','deviceSelector':{'paths':['/dev/sdm'],"
                                + "'optionalPaths':['/dev/sdx'],"
                                + "'forceWipeDevicesAndDestroyAllData':true}}",
                        node("n1", MEMBER, XFS));
        assertEquals(List.of(), lines);
    }

    @Test
    void aNodeThatWasWipedBeforeIsNotWipedAgain() {
        var deviceClass =
                "{'name':'vg1','deviceSelector':{'paths':['/dev/sdx'],"
                        + "'forceWipeDevicesAndDestroyAllData':true}}";
        var group =
                LvmVolumeGroup.of(
                        Clusters.object(
                                "{'metadata':{'name':'vg1','annotations':"
                                        + "{'wiped.devices.lvms.openshift.io/n1':'x'}}}"));
        var preview = ClusterPreview.of(Clusters.cluster(deviceClass), List.of(group));
        assertEquals(
                List.of("device class \"vg1\" takes nothing on node n1: /dev/sdx has xfs"),
                PreviewText.lines(preview.on(List.of(node("n1", XFS)), _ -> true)));
    }

    @Test
    void aStaticClassTakesNoLaterDisk() {
        var policy = "{'name':'vg1','deviceDiscoveryPolicy':'%s'}";
        var node = node("n1", MEMBER, FREE);
        assertEquals(List.of(), lines(policy.formatted("Static"), node));
        assertEquals(1, lines(policy.formatted("Dynamic"), node).size());
    }

    @Test
    void aDiskThatAnotherClassNamesIsLeftToIt() {
        var lines =
                lines(
                        new String[] {
                            "{'name':'all'}",
                            "{'name':'one','deviceSelector':{'paths':['/dev/sdb']}}"
                        },
                        node("n1", FREE, OTHER));
        assertEquals(
                List.of(
                        "device class \"all\" takes all free disks, on node n1 /dev/sdc (100GiB)",
                        "device class \"one\" takes on node n1 /dev/sdb (100GiB)"),
                lines);
    }

    @Test
    void aPathThatLeadsNowhereIsNamed() {
        assertEquals(
                List.of("device class \"vg1\" takes nothing on node n1: /dev/sdz is not there"),
                lines("{'name':'vg1','deviceSelector':{'paths':['/dev/sdz']}}", node("n1", FREE)));
    }

    @Test
    void nodesThatNobodyHasLookedAtAreCounted() {
        assertEquals(
                List.of(
                        "device class \"vg1\": no node agent has looked at the disks of 2 nodes"
                                + " yet; to see what it would take there: lvms disks"),
                lines("{'name':'vg1'}", node("n1"), node("n2")));
    }

    @Test
    void aNodeThatTheClassIsNotForIsNotLookedAt() {
        var elsewhere =
                "{'name':'vg1','nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':[{'key':"
                        + "'kubernetes.io/hostname','operator':'In','values':['n2']}]}]}}";
        assertEquals(List.of(), lines(elsewhere, node("n1", FREE)));
    }

    @Test
    void manyNodesAndDisksStayWithinWhatTheServerShows() {
        var disks =
                IntStream.range(0, 100)
                        .mapToObj(i -> disk("{'name':'/dev/disk" + i + "',%s}"))
                        .toArray(Disk[]::new);
        var nodes =
                IntStream.range(0, 50)
                        .mapToObj(i -> node("node-with-a-long-name-" + i, disks))
                        .toArray(NodeDisks[]::new);
        var lines = lines("{'name':'vg1'}", nodes);
        assertEquals(10, lines.size());
        assertEquals("and 41 more: lvms disks", lines.getLast());
        assertTrue(lines.getFirst().matches(".* and 9\\d more: lvms disks"), lines.getFirst());
        assertTrue(lines.stream().allMatch(line -> line.length() <= 230), lines::toString);
    }

    @Test
    void aLongReasonIsCut() {
        var busy = disk("{'name':'/dev/sdb',%s,'obstacles':['" + "a reason ".repeat(99) + "']}");
        var line =
                lines("{'name':'vg1','deviceSelector':{'paths':['/dev/sdb']}}", node("n1", busy));
        assertEquals(230, line.getFirst().length());
    }
}
