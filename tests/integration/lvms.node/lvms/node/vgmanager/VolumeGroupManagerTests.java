package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.VolumeGroupState;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.LvName;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.Now;
import lvms.lvm2.device.Signatures;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;
import lvms.tests.server.Definitions;
import lvms.tests.support.LogRecords;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** Objects in the API server become volume groups on disks, reports, and blank disks again. */
@Lasts(seconds = 25)
class VolumeGroupManagerTests extends VolumeGroupCase {
    /** The operator copies the words of the LVMCluster to the status, which the agent follows. */
    @Test
    void whatTheStatusSaysAboutLogsIsTold() throws Exception {
        var wishes = new AtomicReference<Map<String, String>>(Map.of());
        logWishes = wishes::set;
        disks.add(64 * MIB);
        start();
        var debug = Map.of(Names.LOG_LEVEL_ANNOTATION, "debug");
        annotate("\"debug\"");
        until(() -> wishes.get().equals(debug));
        annotate("null");
        until(() -> wishes.get().isEmpty());
    }

    /** Also a status that somebody made anew. */
    @Test
    void theStatusSaysWhichBuildTheAgentIs() throws Exception {
        build = "1.2.0+abc";
        disks.add(64 * MIB);
        start();
        until(() -> signature().equals(Optional.of(build)));
        kube.delete(LvmVolumeGroupNodeStatus.TYPE, STATUS, DeleteOptions.any());
        kube.create(
                LvmVolumeGroupNodeStatus.TYPE,
                KubeObject.create(LvmVolumeGroupNodeStatus.TYPE, STATUS)
                        .with(ObjectTree.EMPTY, "spec"));
        until(() -> signature().equals(Optional.of(build)));
    }

    private Optional<String> signature() throws Exception {
        return statusAnnotation("lvms.topolvm.io/build");
    }

    private Optional<String> statusAnnotation(String key) throws Exception {
        return kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS).annotation(key);
    }

    @Test
    void whatKeepsItsWatchdogFromOutlivingItIsInTheStatusUntilItIsNoMore() throws Exception {
        build = "1.2.3+0011223344556677";
        watchdogObstacle = Optional.of("no hostPID");
        disks.add(64 * MIB);
        start();
        until(() -> statusAnnotation("lvms.topolvm.io/watchdog-obstacle").equals(watchdogObstacle));
        manager.signWith(build + "0", Optional.empty());
        group(name, selecting(disks.add(64 * MIB)));
        until(() -> signature().equals(Optional.of(build + "0")));
        assertEquals(Optional.empty(), statusAnnotation("lvms.topolvm.io/watchdog-obstacle"));
    }

    private void annotate(String level) throws Exception {
        var patch =
                "{\"metadata\":{\"annotations\":{\"%s\":%s,\"other\":\"x\"}}}"
                        .formatted(Names.LOG_LEVEL_ANNOTATION, level);
        kube.mergePatch(LvmVolumeGroupNodeStatus.TYPE, STATUS, Json.parse(patch).asObject());
    }

    @Safety(5)
    @Test
    void aGroupLivesFromItsObjectToItsDeletion() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk).replace("{\"dev", "{\"default\":true,\"dev"));
        var ready = await(name, VolumeGroupState.READY);
        assertEquals(List.of(disk.toString()), ready.devices());
        assertTrue(lvm.groups().find(name).orElseThrow().tags().contains("lvms"));
        assertEquals(
                List.of(Names.nodeCleanupFinalizer(NODE)), find(name).orElseThrow().finalizers());
        var free = Long.toString(lvm.groups().find(name).orElseThrow().freeBytes());
        until(() -> annotation("capacity.topolvm.io/" + name).equals(Optional.of(free)));
        assertEquals(Optional.of(free), annotation("capacity.topolvm.io/00default"));
        assertEquals(Optional.empty(), annotation("capacity.topolvm.io/gone"));
        until(() -> nodeFinalizers().equals(List.of("topolvm.io/node")));
        assertTrue(Files.readString(folder.resolve("etc/lvmd.yaml")).contains(name));
        assertTrue(manager.ready());
        until(() -> reasons().containsAll(Set.of("DeviceAdded", "VolumeGroupReady")));

        delete(name);
        until(() -> find(name).isEmpty());
        assertTrue(lvm.groups().find(name).isEmpty());
        assertEquals(new Signatures.Blank(), Signatures.probe(disk));
        assertEquals(Optional.empty(), entry(name));
        assertTrue(Files.notExists(folder.resolve("etc/lvmd.yaml")));
        until(() -> annotation("capacity.topolvm.io/" + name).isEmpty());
        until(() -> annotation("capacity.topolvm.io/00default").isEmpty());
        assertTrue(kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS).ownerReferences().isEmpty());
    }

    @Test
    void itsStatusSaysThatItIsAtWorkBeforeItIsReady() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        assertEquals(
                List.of(VolumeGroupState.PROGRESSING, VolumeGroupState.READY),
                server.faults().requests().stream()
                        .filter(r -> r.method().equals("PATCH"))
                        .filter(r -> r.target().endsWith("/lvmvolumegroupnodestatuses/" + NODE))
                        .map(r -> KubeObject.of(Json.parse(r.body()).asObject()))
                        .flatMap(o -> LvmVolumeGroupNodeStatus.of(o).volumeGroup(name).stream())
                        .flatMap(entry -> entry.state().stream())
                        .toList());
    }

    @Test
    void aGroupOfOtherNodesIsLeftAlone() throws Exception {
        disks.add(64 * MIB);
        start();
        var selector =
                """
                {"nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [
                  {"key": "disk", "operator": "In", "values": ["hdd"]}]}]}}
                """;
        group(name + "-other", selector);
        group(name, selector.replace("hdd", "ssd"));
        await(name, VolumeGroupState.READY);
        assertEquals(Optional.empty(), entry(name + "-other"));
        assertEquals(List.of(), find(name + "-other").orElseThrow().finalizers());
        delete(name + "-other");
        until(() -> find(name + "-other").isEmpty());
    }

    /** The operator makes it; without it nobody would learn what is done. */
    @Test
    void nothingIsDoneBeforeThereIsAStatusToSayIt() throws Exception {
        var disk = disks.add(64 * MIB);
        var status = kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS);
        kube.delete(LvmVolumeGroupNodeStatus.TYPE, STATUS, DeleteOptions.any());
        start();
        group(name + "-other", "{\"nodeSelector\": {\"nodeSelectorTerms\": []}}");
        group(name, selecting(disk));
        until(() -> passes() >= 6);
        assertTrue(lvm.groups().find(name).isEmpty());
        assertEquals(List.of(), find(name).orElseThrow().finalizers());
        kube.create(
                LvmVolumeGroupNodeStatus.TYPE,
                KubeObject.create(LvmVolumeGroupNodeStatus.TYPE, STATUS)
                        .with(status.object("spec").orElseThrow(), "spec"));
        await(name, VolumeGroupState.READY);
    }

    private double passes() {
        return metrics.text()
                .lines()
                .filter(line -> line.startsWith("controller_runtime_reconcile_total{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    /** Whoever looks at one of the three finds it there. */
    @Test
    void anEventIsAboutTheStatusTheGroupAndItsOwner() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        Definitions.install(kube, List.of("lvm.topolvm.io_lvmclusters"));
        var cluster =
                kube.create(
                        LvmCluster.TYPE,
                        KubeObject.create(LvmCluster.TYPE, ObjectKey.of(NAMESPACE, "my"))
                                .with(Json.parse("{}"), "spec"));
        var owner =
                """
                [{"apiVersion": "lvm.topolvm.io/v1alpha1", "kind": "LVMCluster", "name": "my",
                  "uid": "%s"}]
                """
                        .formatted(cluster.uid());
        var owned =
                KubeObject.create(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, name))
                        .with(Json.parse(selecting(disk)), "spec")
                        .with(Json.parse(owner), "metadata", "ownerReferences");
        kube.create(LvmVolumeGroup.TYPE, owned);
        start();
        var reason = await(name, VolumeGroupState.FAILED).reason();
        var node = "error on node lvms-system/node1";
        var wanted =
                Map.of(
                        "LVMVolumeGroupNodeStatus", reason,
                        "LVMVolumeGroup", node + ": " + reason,
                        "LVMCluster",
                                node + " in volume group lvms-system/" + name + ": " + reason);
        until(() -> told().equals(wanted));
    }

    private Map<String, String> told() throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .filter(e -> e.text("reason").equals(Optional.of("DevicePathCheckFailed")))
                .collect(
                        Collectors.toMap(
                                e -> e.text("regarding", "kind").orElse(""),
                                e -> e.text("note").orElse("")));
    }

    @Test
    void anLvmdYamlThatCannotBeReadIsToldAndLeftAlone() throws Exception {
        var disk = disks.add(64 * MIB);
        var file = folder.resolve("etc/lvmd.yaml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "- not: [a mapping");
        start();
        group(name, selecting(disk));
        var degraded = await(name, VolumeGroupState.DEGRADED);
        assertTrue(degraded.reason().contains("lvmd.yaml"), degraded.reason());
        until(() -> reasons().contains("VGCreateOrExtendFailed"));
        assertEquals("- not: [a mapping", Files.readString(file));
        Files.delete(file);
        lookAgain(name);
        await(name, VolumeGroupState.READY);
    }

    @Test
    void aFolderOfLvmdYamlThatCannotBeWrittenIsTold() throws Exception {
        var disk = disks.add(64 * MIB);
        var etc = Files.createDirectory(folder.resolve("etc")).toString();
        LoopDisks.run("mount", "-t", "tmpfs", "-o", "ro", "tmpfs", etc);
        try {
            start();
            group(name, selecting(disk));
            var degraded = await(name, VolumeGroupState.DEGRADED);
            assertTrue(degraded.reason().contains("lvmd.yaml"), degraded.reason());
            assertFalse(manager.ready());
            LoopDisks.run("mount", "-o", "remount,rw", etc);
            lookAgain(name);
            await(name, VolumeGroupState.READY);
            until(manager::ready);
        } finally {
            stop();
            LoopDisks.run("umount", etc);
        }
    }

    @Test
    void aBadDiskIsNotTouchedAndTheReasonIsTold() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        var before = LoopDisks.checksum(disk);
        start();
        group(name, selecting(disk));
        var failed = await(name, VolumeGroupState.FAILED);
        assertTrue(failed.reason().contains("has a filesystem signature \"ext4\""));
        assertEquals(disk.toString(), failed.excluded().getFirst().name());
        until(() -> reasons().contains("DevicePathCheckFailed"));
        delete(name);
        until(() -> find(name).isEmpty());
        assertEquals(before, LoopDisks.checksum(disk));
    }

    @Test
    void aStepThatFailsAgainAndAgainIsToldOnce() throws Exception {
        var disk = disks.add(64 * MIB);
        var inTheWay = Files.createDirectory(Path.of("/dev", name)); // vgcreate refuses the name
        try (var log = new LogRecords()) {
            start();
            group(name, selecting(disk));
            var failed = await(name, VolumeGroupState.FAILED);
            long writes = kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS).generation();
            until(() -> failedPasses() >= 5);
            assertEquals(failed, entry(name).orElseThrow());
            assertEquals(writes, kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS).generation());
            assertEquals(1, log.beginning("volume group step vg=" + name).size());
            assertEquals(List.of(), log.beginning("volume group event vg=" + name));
            var lines = log.beginning("reconcile failed controller=vg-manager");
            assertEquals(1, lines.size(), lines::toString);
            assertTrue(lines.getFirst().contains(failed.reason()), lines::toString);
            until(() -> reasons().contains("VGCreateOrExtendFailed"));
        } finally {
            Files.delete(inTheWay);
        }
        lookAgain(name);
        await(name, VolumeGroupState.READY);
    }

    private double failedPasses() {
        return metrics.text()
                .lines()
                .filter(line -> line.startsWith("controller_runtime_reconcile_errors_total{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    @Test
    void anAgentWithNothingToServeIsReadyAndOneWhoseClassFailsIsNot() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        until(manager::ready);
        group(name, "{\"deviceSelector\": {\"paths\": [\"/dev/missing\"]}}");
        await(name, VolumeGroupState.FAILED);
        assertFalse(manager.ready());
        delete(name);
        until(() -> find(name).isEmpty());
        until(manager::ready);
        group(name + "-2", selecting(disk));
        await(name + "-2", VolumeGroupState.READY);
        until(manager::ready);
    }

    @Test
    void aGroupWithAVolumeWaitsForAPerson() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        var volume = new LvName(name, "data");
        lvm.volumes().createThick(new NewThickVolume(volume, 8 * MIB, Set.of()));
        manager.lvmChanged();
        delete(name);
        var blocked = await(name, VolumeGroupState.DEGRADED);
        assertTrue(blocked.reason().contains("manual cleanup required"), blocked.reason());
        lvm.volumes().remove(Now.volume(lvm, volume));
        lookAgain(name); // and nothing says that LVM changed
        until(() -> find(name).isEmpty());
    }

    /** Otherwise it would be a group of somebody else's when they come back. */
    @Safety(54)
    @Test
    void aGroupWhoseDisksAreAwayIsNotTakenForRemoved() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        disks.add(64 * MIB);
        stop();
        late.add(disk);
        delete(name);
        start();
        until(() -> entry(name).orElseThrow().reason().contains("was in service on this node"));
        assertTrue(find(name).isPresent());
        stop();
        late.clear();
        start();
        until(() -> find(name).isEmpty());
        assertTrue(lvm.physicalVolumes().find(disk).isEmpty());
    }

    @Safety(54)
    @Test
    void aPersonSaysThatDisksAreLostForGood() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        disks.add(64 * MIB);
        stop();
        late.add(disk);
        delete(name);
        start();
        until(() -> entry(name).orElseThrow().reason().contains("was in service on this node"));
        kube.mergePatch(
                LvmVolumeGroupNodeStatus.TYPE,
                MergePatch.of(kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS))
                        .withoutAnnotation("lvm.topolvm.io/known-volume-groups"));
        lookAgain(name);
        until(() -> find(name).isEmpty());
    }

    @Test
    void aLabelThatAKilledRemovalLeftIsRemoved() throws Exception {
        var disk = disks.add(64 * MIB);
        var orphan = disks.add(64 * MIB);
        start();
        // What remains if the process dies between vgreduce and pvremove.
        lvm.groups().create(new NewVolumeGroup(name, List.of(disk, orphan), Set.of("lvms")));
        var uuid =
                lvm.physicalVolumes().all().stream()
                        .filter(pv -> pv.device().equals(orphan.toString()))
                        .findFirst()
                        .orElseThrow()
                        .uuid();
        stop();
        LoopDisks.run("vgreduce", "--config", config(), name, orphan.toString());
        var annotations = ObjectTree.builder();
        annotations.put("lvm.topolvm.io/retiring-physical-volumes", uuid);
        var metadata = ObjectTree.builder();
        metadata.put("annotations", annotations.build());
        var patch = ObjectTree.builder();
        patch.put("metadata", metadata.build());
        kube.mergePatch(LvmVolumeGroupNodeStatus.TYPE, STATUS, patch.build());
        group(name, selecting(disk));
        start();
        await(name, VolumeGroupState.READY);
        assertEquals(new Signatures.Blank(), Signatures.probe(orphan));
        until(
                () ->
                        kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS)
                                .annotation("lvm.topolvm.io/retiring-physical-volumes")
                                .isEmpty());
    }

    private String config() {
        var filter =
                disks.all().stream()
                        .map(disk -> "\"a|^" + disk + "$|\"")
                        .collect(Collectors.joining(","));
        return "global/activation=0 devices/filter=[" + filter + ",\"r|.*|\"]";
    }
}
