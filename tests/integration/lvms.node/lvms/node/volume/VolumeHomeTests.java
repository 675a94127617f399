package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.yaml.Yaml;
import lvms.lvm2.LvName;
import lvms.lvm2.Now;
import lvms.node.deviceclass.DeviceClasses;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A LogicalVolume says in which volume group and on which Node its volume is, and a group of the
 * same name is not taken for that one: real LVM on a loop device, an API server over HTTPS.
 */
@Timeout(120)
@Safety(14)
class VolumeHomeTests extends VolumeControllerCase {
    private static final String OTHER = "Ab1cde-F2gh-I3jk-L4mn-O5pq-R6st-U7vwxy";

    private Optional<LogicalVolume.Home> home(String name) throws Exception {
        return get(name).status().home();
    }

    private LogicalVolume.Home here(String nodeUid) throws Exception {
        return new LogicalVolume.Home(groupUuid(), nodeUid);
    }

    /** Has a status say something else, as if the disks had been replaced since. */
    private void moved(String name, String fields) throws Exception {
        controller.close();
        kube.mergePatchStatus(
                LogicalVolume.TYPE,
                MergePatch.of(get(name).object()).status(Yaml.read(fields).asObject()));
        controller = controller();
    }

    private void patch(String name, String text) throws Exception {
        kube.mergePatch(LogicalVolume.TYPE, ObjectKey.cluster(name), Yaml.read(text).asObject());
    }

    private void accept(String name) throws Exception {
        var key = LogicalVolume.Home.ACCEPTED_ANNOTATION;
        patch(name, "metadata: {annotations: {" + key + ": " + groupUuid() + "}}");
    }

    private void refused(String name) throws Exception {
        failed(name, StatusCode.FAILED_PRECONDITION.number());
        var message = get(name).status().message();
        assertTrue(message.contains(OTHER), message);
        assertTrue(message.contains(groupUuid()), message);
    }

    @Test
    void aNewVolumeSaysWhereItIs() throws Exception {
        var uid = createNode();
        create("pvc-1", "8Mi");
        made("pvc-1");
        assertEquals(Optional.of(here(uid)), home("pvc-1"));
    }

    /** An agent that starts has all its volumes before it at once. */
    @Test
    void theNodeIsAskedForOnce() throws Exception {
        createNode();
        for (var name : List.of("pvc-1", "pvc-2", "pvc-3")) {
            create(name, "8Mi");
            made(name);
        }
        controller.close();
        server.faults().forgetRequests();
        controller = controller();
        create("pvc-4", "8Mi");
        made("pvc-4");
        var asked =
                server.faults().requests().stream()
                        .filter(seen -> seen.target().startsWith("/api/v1/nodes/"))
                        .toList();
        assertEquals(1, asked.size(), asked.toString());
    }

    @Test
    void anObjectOfTopolvmIsFilledIn() throws Exception {
        var uid = createNode();
        create("pvc-1", "8Mi");
        made("pvc-1");
        moved("pvc-1", "{volumeGroupUUID: null, nodeUID: null}");
        await("it says it again", () -> home("pvc-1").equals(Optional.of(here(uid))));
    }

    @Test
    void aNodeThatWasRebuiltAroundItsDisksGoesOn() throws Exception {
        createNode();
        create("pvc-1", "8Mi");
        made("pvc-1");
        controller.close();
        deleteNode();
        var uid = createNode();
        controller = controller();
        await("it names the new Node", () -> home("pvc-1").equals(Optional.of(here(uid))));
        assertEquals(StatusCode.OK, get("pvc-1").status().code());
    }

    /** As while kubelet has not registered yet. */
    @Test
    void withoutANodeObjectWhatIsRecordedStays() throws Exception {
        var uid = createNode();
        create("pvc-1", "8Mi");
        made("pvc-1");
        controller.close();
        deleteNode();
        server.faults().forgetRequests();
        controller = controller();
        create("pvc-2", "8Mi");
        made("pvc-2");
        assertEquals(Optional.of(here(uid)), home("pvc-1"));
        assertTrue(
                server.faults().requests().stream()
                        .filter(r -> r.method().equals("PATCH"))
                        .noneMatch(r -> r.target().endsWith("/pvc-1/status")));
    }

    @Test
    void aVolumeInAnotherGroupOfThatNameNeitherGrowsNorGoesUntilAPersonAcceptsIt()
            throws Exception {
        create("pvc-1", "8Mi");
        var id = made("pvc-1").status().volumeId();
        moved("pvc-1", "{volumeGroupUUID: " + OTHER + "}");
        refused("pvc-1");
        patch("pvc-1", "spec: {size: 16Mi}");
        requestDeletion("pvc-1");
        await("the pass is over", () -> get("pvc-1").object().terminating());
        refused("pvc-1");
        assertEquals(Set.of(id), inLvm());
        assertEquals(8 * MIB, lvm.volumes().all(VG).getFirst().sizeBytes());
        accept("pvc-1");
        await("it goes", () -> !exists("pvc-1"));
        assertEquals(Set.of(), inLvm());
    }

    /** No class names a group for it any more; the object does. */
    @Safety(55)
    @Test
    void aVolumeWhoseClassIsGoneStaysWhileItsDisksAreAway() throws Exception {
        create("pvc-1", "8Mi");
        var id = made("pvc-1").status().volumeId();
        lvm.volumes().remove(Now.volume(lvm, new LvName(VG, id)));
        moved("pvc-1", "{volumeGroupUUID: " + OTHER + "}");
        classes.publish(new DeviceClasses(List.of(), Map.of()));
        requestDeletion("pvc-1");
        failed("pvc-1", StatusCode.FAILED_PRECONDITION.number());
        assertTrue(get("pvc-1").status().message().contains(OTHER));
        var key = LogicalVolume.Home.ACCEPTED_ANNOTATION;
        patch("pvc-1", "metadata: {annotations: {" + key + ": none}}");
        await("it goes", () -> !exists("pvc-1"));
    }

    @Safety(55)
    @Test
    void oneThatIsNotInItsGroupGoesWithoutAClass() throws Exception {
        create("pvc-1", "8Mi");
        var id = made("pvc-1").status().volumeId();
        lvm.volumes().remove(Now.volume(lvm, new LvName(VG, id)));
        classes.publish(new DeviceClasses(List.of(), Map.of()));
        requestDeletion("pvc-1");
        await("it goes", () -> !exists("pvc-1"));
    }

    /** The group is there, and it has no such volume; that says nothing about the other group. */
    @Test
    void aVolumeWhoseDisksWereReplacedIsLostAndNotMadeAgain() throws Exception {
        create("pvc-1", "8Mi");
        var id = made("pvc-1").status().volumeId();
        lvm.volumes().remove(Now.volume(lvm, new LvName(VG, id)));
        moved("pvc-1", "{volumeGroupUUID: " + OTHER + "}");
        failed("pvc-1", StatusCode.NOT_FOUND.number());
        assertTrue(get("pvc-1").status().message().contains(OTHER));
        requestDeletion("pvc-1");
        await("it stays", () -> get("pvc-1").status().code() == StatusCode.FAILED_PRECONDITION);
        assertEquals(Set.of(), inLvm());
        accept("pvc-1");
        await("it goes", () -> !exists("pvc-1"));
    }
}
