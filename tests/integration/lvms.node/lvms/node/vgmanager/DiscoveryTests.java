package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeGroupState;
import lvms.api.nativestor.RawDevice;
import lvms.deploy.Roles;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.node.discovery.Discovery;
import lvms.node.discovery.InventoryMap;
import lvms.node.disk.DiskUser;
import lvms.node.rawdevice.RawDevices;
import lvms.tests.runner.Lasts;
import lvms.tests.server.Definitions;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An agent that is asked to publishes the devices of its node as NativeStor does. */
@Lasts(seconds = 20)
class DiscoveryTests extends VolumeGroupCase {
    private static final long GIB = 1L << 30;
    private static final ObjectKey MAP = ObjectKey.of(NAMESPACE, "lvmdconfig-node1");

    @BeforeEach
    void define() throws Exception {
        Definitions.install(kube, Definitions.NATIVESTOR);
    }

    @Override
    DiskUser others() {
        return new Discovery(
                true,
                List.of(),
                List.of(
                        new InventoryMap(agentKube, NAMESPACE, NODE),
                        new RawDevices(agentKube, NODE, false)),
                InstantSource.system());
    }

    @Override
    Path[] roles() {
        return new Path[] {Roles.AGENT, Roles.RAW_DEVICES};
    }

    private List<RawDevice> objects() throws Exception {
        return kube.list(RawDevice.TYPE, ListOptions.all()).items().stream()
                .map(RawDevice::of)
                .toList();
    }

    private Optional<RawDevice> object(Path device) throws Exception {
        return objects().stream()
                .filter(object -> object.spec().realPath().equals(device.toString()))
                .findFirst();
    }

    private List<ObjectTree> inventory() throws Exception {
        return kube.find(Types.CONFIG_MAP, MAP)
                .flatMap(map -> map.text("data", "devices"))
                .map(text -> Json.parse(text).asList().objects())
                .orElse(List.of());
    }

    private Optional<ObjectTree> listed(Path device) throws Exception {
        return inventory().stream()
                .filter(d -> d.text("real-path").equals(Optional.of(device.toString())))
                .findFirst();
    }

    private void awaitMessage(Path device, String message) throws Exception {
        until(() -> listed(device).flatMap(d -> d.text("message")).orElse("-").equals(message));
        until(
                () ->
                        object(device)
                                .filter(o -> o.spec().reason().equals(message))
                                .filter(o -> o.spec().available() == message.isEmpty())
                                .isPresent());
    }

    @Test
    void theDevicesAreInTheConfigMapAndAreObjects() throws Exception {
        var free = disks.add(3 * GIB);
        var small = disks.add(GIB);
        start();
        awaitMessage(free, "");
        awaitMessage(small, "size less than 2G");
        var map = kube.get(Types.CONFIG_MAP, MAP);
        assertEquals(Optional.of("lvmdconfig"), map.label("topolvm/lvmdconfig"));
        assertEquals(Optional.of(NODE), map.annotation("node-name"));
        var object = object(free).orElseThrow();
        assertEquals(RawDevice.nameOf(NODE, free.toString()), object.name());
        assertEquals(Optional.of(NODE), object.object().label("node"));
        assertEquals(3 * GIB, object.spec().sizeBytes());
        assertEquals("loop", object.spec().type());
        assertEquals(7, object.spec().major());
    }

    @Test
    void aDiskOfAVolumeGroupIsNotFree() throws Exception {
        var disk = disks.add(3 * GIB);
        start();
        awaitMessage(disk, "");
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        until(
                () ->
                        object(disk)
                                .orElseThrow()
                                .spec()
                                .reason()
                                .startsWith("containe a filesystem LVM2_member"));
        assertTrue(
                object(disk)
                        .orElseThrow()
                        .spec()
                        .reason()
                        .contains("physical volume of volume group \"" + name + '"'));
    }

    @Test
    void aDiskThatIsGoneIsForgottenUnlessAVolumeHasIt() throws Exception {
        var free = disks.add(3 * GIB);
        var taken = disks.add(3 * GIB);
        start();
        awaitMessage(free, "");
        awaitMessage(taken, "");
        var object = object(taken).orElseThrow();
        kube.mergePatchStatus(
                RawDevice.TYPE,
                object.object().key(),
                ObjectTree.EMPTY.with(Json.parse('"' + object.name() + '"'), "status", "name"));
        hidden.addAll(List.of(free, taken));
        lookAgain();
        until(() -> object(free).isEmpty());
        until(() -> object(taken).orElseThrow().spec().reason().equals("the device is gone"));
        until(() -> inventory().isEmpty());
    }

    /** Whatever wakes the agent makes it look at its disks. */
    private void lookAgain() throws Exception {
        group(
                name,
                "{\"nodeSelector\": {\"nodeSelectorTerms\": [{\"matchExpressions\": [{\"key\":"
                        + " \"disk\", \"operator\": \"In\", \"values\": [\"none\"]}]}]}}");
    }

    @Test
    void whatOthersKeepInTheConfigMapStays() throws Exception {
        var others =
                Map.of("lvmd.yaml", "device-classes: []", "status.json", "{\"node\":\"node1\"}");
        kube.create(
                Types.CONFIG_MAP,
                KubeObject.create(Types.CONFIG_MAP, MAP).with(ObjectTree.ofTexts(others), "data"));
        var disk = disks.add(3 * GIB);
        start();
        awaitMessage(disk, "");
        var data = kube.get(Types.CONFIG_MAP, MAP).textMap("data");
        assertEquals(others.get("lvmd.yaml"), data.get("lvmd.yaml"));
        assertEquals(others.get("status.json"), data.get("status.json"));
        assertEquals(3, data.size());
    }

    @Test
    void whatSomebodyDeletesIsThereAgain() throws Exception {
        var disk = disks.add(3 * GIB);
        start();
        awaitMessage(disk, "");
        var before = object(disk).orElseThrow().object();
        kube.delete(RawDevice.TYPE, before.key(), DeleteOptions.any());
        kube.delete(Types.CONFIG_MAP, MAP, DeleteOptions.any());
        awaitMessage(disk, "");
        until(() -> object(disk).filter(o -> !o.object().uid().equals(before.uid())).isPresent());
    }

    @Test
    void theDevicesOfAnotherNodeAreLeftAlone() throws Exception {
        var spec = new RawDevice.Spec("node2", 3 * GIB, "disk", "/dev/sdz", 8, 1, "", true, "");
        kube.create(RawDevice.TYPE, RawDevice.create("other", spec, Map.of()));
        var disk = disks.add(3 * GIB);
        start();
        awaitMessage(disk, "");
        var other = RawDevice.of(kube.get(RawDevice.TYPE, ObjectKey.cluster("other")));
        assertEquals(spec, other.spec());
    }
}
