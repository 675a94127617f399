package lvms.operator.topolvmcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.LvmVolumeGroup;
import lvms.api.listing.LoopFile;
import lvms.api.nativestor.ClusterStorage;
import lvms.api.nativestor.TopolvmClusterStatus;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Optional;

/** A file of NativeStor stays behind its loop device, on each node its own. */
class RecordedLoopsTests {
    private static final String FILE = "/var/loops/6f9619ff-8b86-d011-b42d-00c04fc964ff";
    private static final String OTHER = "/var/loops/00000000-8b86-d011-b42d-00c04fc964ff";
    private static final String A = "{name: a, type: loop, auto: true, path: /var/loops/, size: 4}";
    private static final List<WantedGroup> EVERYWHERE =
            wanted(
                    "{useAllNodes: true, useLoop: true, volumeGroupName: data, className: f,"
                            + (" devices: [" + A + "]}"));
    private static final List<WantedGroup> TWO_ON_N1 =
            wanted(
                    """
                    {useLoop: true, deviceClasses: [{nodeName: n1, classes: [
                     {className: f, volumeGroup: data, devices: [%1$s]},
                     {className: g, volumeGroup: more, devices: [%1$s,
                      {name: /dev/loop7, type: loop}]}]}]}
                    """
                            .formatted(A));

    private static List<WantedGroup> wanted(String storage) {
        return WantedGroups.of(
                ClusterStorage.of(
                        Yaml.read("storage: " + storage)
                                .asObject()
                                .object("storage")
                                .orElseThrow()));
    }

    /** As NativeStor writes it for one node. */
    private static String node(String node, String classes, String... loops) {
        return "  - {node: %s, phase: Ready, %s, loops: [%s]}\n"
                .formatted(node, classes, String.join(", ", loops));
    }

    private static String successful(String... names) {
        return "successClasses: [{className: %s, vgName: %s, state: Ready}]"
                .formatted((Object[]) names);
    }

    private static String loop(String name, String file, String device) {
        return "{name: %s, file: %s, deviceName: '%s', status: successful, message: ''}"
                .formatted(name, file, device);
    }

    private static List<LoopFile> files(
            List<WantedGroup> wanted, int which, Optional<LvmVolumeGroup> present, String nodes) {
        var status =
                TopolvmClusterStatus.of(
                        Yaml.read("phase: Ready\nnodeStorageState:\n" + nodes).asObject());
        return new RecordedLoops(status.nodes(), wanted)
                .of(wanted.get(which), present).loops().stream()
                        .flatMap(loop -> loop.files().stream())
                        .toList();
    }

    private static Optional<LvmVolumeGroup> present(WantedGroup group) {
        var key = ObjectKey.of("ns", group.name());
        return Optional.of(
                LvmVolumeGroup.of(
                        KubeObject.create(LvmVolumeGroup.TYPE, key)
                                .with(group.spec().json(), "spec")));
    }

    @Test
    void eachNodeHasAFileOfItsOwn() {
        var status =
                node("n1", successful("f", "data"), loop("a", FILE, "/dev/loop3"))
                        + node("n2", successful("f", "data"), loop("a", OTHER, "/dev/loop0"))
                        + node("n3", successful("f", "data"), loop("b", FILE, "/dev/loop0"));
        var files = List.of(new LoopFile("n1", FILE), new LoopFile("n2", OTHER));
        assertEquals(files, files(EVERYWHERE, 0, Optional.empty(), status));
    }

    /** Our own status takes the place of NativeStor's before every node has had its turn. */
    @Test
    void theGroupKeepsThemOnceThereIsOne() {
        var status = node("n1", successful("f", "data"), loop("a", FILE, "/dev/loop3"));
        var group = EVERYWHERE.getFirst();
        var loops = new RecordedLoops(List.of(), EVERYWHERE);
        var file = List.of(new LoopFile("n1", FILE));
        var made = group.withLoops(group.loops().stream().map(loop -> loop.with(file)).toList());
        assertEquals(made, loops.of(group, present(made)));
        assertEquals(List.of(), files(EVERYWHERE, 0, present(group), status), "no evidence");
    }

    /** A device is known by its name alone, and two classes may say the same one. */
    @Test
    void theClassThatIsThereHasTheFile() {
        var status = node("n1", successful("g", "more"), loop("a", FILE, "/dev/loop3"));
        assertEquals(List.of(), files(TWO_ON_N1, 0, Optional.empty(), status));
        assertEquals(
                List.of(new LoopFile("n1", FILE)), files(TWO_ON_N1, 1, Optional.empty(), status));
    }

    /** Otherwise a class whose filesystem is not mounted would get an empty file after a while. */
    @Test
    void aClassThatFailedKeepsItsFileToo() {
        var status =
                node(
                        "n1",
                        "failClasses: [{className: f, state: UnReady}]",
                        "{name: a, file: %s, deviceName: '', status: failed, message: gone}"
                                .formatted(FILE));
        assertEquals(
                List.of(new LoopFile("n1", FILE)), files(EVERYWHERE, 0, Optional.empty(), status));
    }

    @Test
    void thatOfAPersonIsKnownAfterABootToo() {
        var status = node("n1", successful("g", "more"), loop("/dev/loop7", FILE, "/dev/loop7"));
        assertEquals(
                List.of(new LoopFile("n1", FILE)), files(TWO_ON_N1, 1, Optional.empty(), status));
    }

    /** A failure of losetup became a success without a device, and the file was removed. */
    @ParameterizedTest
    @ValueSource(strings = {FILE, "''", "var/loops/relative"})
    void whatWasNeverMadeIsNoFile(String file) {
        var status = node("n1", successful("f", "data"), loop("a", file, ""));
        assertEquals(List.of(), files(EVERYWHERE, 0, Optional.empty(), status));
    }

    /** A class that went with its file and comes again gets a new one. */
    @Test
    void aFileOfOurOwnNeedsNoRecord() {
        var ours = "/var/loops/" + LoopFile.nameOf("data", "a", "n1");
        var status = node("n1", successful("f", "data"), loop("a", ours, "/dev/loop3"));
        assertEquals(List.of(), files(EVERYWHERE, 0, Optional.empty(), status));
    }
}
