package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.UnclaimedVolume;
import lvms.deploy.Roles;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.LvName;
import lvms.lvm2.NewThickVolume;
import lvms.tests.server.Definitions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Where NativeStor's place was taken, its LogicalVolumes stay in their group. Their volumes and
 * ours are in the same volume group, and each object has its own one.
 */
@Timeout(120)
class OldGroupVolumeTests extends VolumeControllerCase {
    private static final ResourceType OLD = Driver.LEGACY.logicalVolumes();

    /** As TopoLVM 0.10 leaves a volume: its name in LVM is the UID of its object. */
    private static final String STRAY = "5b1f5e02-6a59-4c5e-8f43-000000000001";

    private VolumeController old;

    @BeforeEach
    void beside() throws Exception {
        Definitions.install(kube, Path.of("deploy/legacy/topolvm.cybozu.com_logicalvolumes.yaml"));
        await("the old type is served", () -> kube.serves(OLD));
        controller.close();
        controller = controller(first -> first.moreToCome(true));
        old = controller.beside(Driver.LEGACY, volume -> removed.add("old " + volume.name()));
    }

    @AfterEach
    void end() {
        old.close();
    }

    @Override
    Path[] roles() {
        return new Path[] {Roles.AGENT, Roles.OLD_VOLUMES};
    }

    /** An object as TopoLVM 0.10 writes it: no source, no class of options, nothing of ours. */
    private static KubeObject old(String name) {
        return KubeObject.create(OLD, ObjectKey.cluster(name))
                .with(name, "spec", "name")
                .with(Volumes.NODE, "spec", "nodeName")
                .with("8Mi", "spec", "size")
                .with("thick", "spec", "deviceClass");
    }

    /** A volume that TopoLVM made: object with status and finalizer, and untagged in LVM. */
    private LogicalVolume ofTopolvm(String name) throws Exception {
        var created =
                kube.create(
                        OLD,
                        old(name)
                                .with(
                                        ListTree.ofTexts(
                                                List.of("topolvm.cybozu.com/logicalvolume")),
                                        "metadata",
                                        "finalizers"));
        var lv = new LvName(VG, created.uid());
        lvm.volumes().createThick(new NewThickVolume(lv, 8 * MIB, Set.of()));
        return LogicalVolume.of(
                kube.mergePatchStatus(
                        OLD,
                        created.key(),
                        json(
                                "{'status':{'volumeID':'%s','currentSize':'8Mi'}}"
                                        .formatted(created.uid()))));
    }

    private static ObjectTree json(String text) {
        return Json.parse(text.replace('\'', '"')).asObject();
    }

    private LogicalVolume read(String name) throws Exception {
        return LogicalVolume.of(kube.get(OLD, ObjectKey.cluster(name)));
    }

    private boolean there(String name) throws Exception {
        return kube.find(OLD, ObjectKey.cluster(name)).isPresent();
    }

    @Test
    void volumesOfBothGroupsAreMadeAndRemoved() throws Exception {
        old.start();
        kube.create(OLD, old("pvc-1"));
        create("pvc-1", "8Mi");
        var ours = made("pvc-1").status().volumeId();
        await("the old one is made", () -> read("pvc-1").status().currentSize().isPresent());
        var theirs = read("pvc-1").status().volumeId();
        assertEquals(read("pvc-1").uid(), theirs);
        assertEquals(Set.of(ours, theirs), inLvm());
        assertEquals(
                List.of("topolvm.cybozu.com/logicalvolume"), read("pvc-1").object().finalizers());
        delete("pvc-1");
        assertEquals(Set.of(theirs), inLvm());
        kube.delete(OLD, ObjectKey.cluster("pvc-1"), DeleteOptions.any());
        await("the old one is gone", () -> !there("pvc-1"));
        assertEquals(Set.of(), inLvm());
        assertEquals(List.of("pvc-1", "old pvc-1"), removed);
    }

    @Test
    void aVolumeThatTopolvmMadeGrowsAndGoes() throws Exception {
        var before = ofTopolvm("pvc-1");
        old.start();
        kube.mergePatch(OLD, ObjectKey.cluster("pvc-1"), json("{'spec':{'size':'16Mi'}}"));
        await(
                "it has grown",
                () ->
                        read("pvc-1")
                                .status()
                                .currentSize()
                                .filter(Quantity.parse("16Mi")::equals)
                                .isPresent());
        assertEquals(before.uid(), read("pvc-1").uid());
        assertEquals(Set.of(before.uid()), inLvm());
        kube.delete(OLD, ObjectKey.cluster("pvc-1"), DeleteOptions.any());
        await("it is gone", () -> !there("pvc-1"));
        assertEquals(Set.of(), inLvm());
    }

    /** What has an object of either group is nobody's to adopt. */
    @Test
    void nothingIsReportedAsUnclaimedBeforeBothGroupsAreKnown() throws Exception {
        ofTopolvm("left"); // the next test makes another pvc-1
        create("pvc-2", "8Mi");
        made("pvc-2");
        lvm.volumes().createThick(new NewThickVolume(new LvName(VG, STRAY), 8 * MIB, Set.of()));
        old.start();
        controller.moreToCome(false);
        var check = controller.check().orElseThrow();
        await("the check is over", () -> !check.unclaimed("thick").isEmpty());
        assertEquals(
                List.of(new UnclaimedVolume(STRAY, "", Quantity.ofBytes(8 * MIB))),
                check.unclaimed("thick"));
    }
}
