package lvms.operator.takeover;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.takeover.nativestor.StorState;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.NodeMarks;
import lvms.operator.uninstall.Reads;
import lvms.operator.unit.ForeignDriver;

import java.util.ArrayList;
import java.util.List;

/**
 * What giving NativeStor's place back takes besides its workloads: nothing of ours may wait for
 * programs of ours.
 *
 * @param state what NativeStor's objects tell now
 */
record NativeStorReturn(Reads reads, String namespace, StorState state) {
    private static final Driver OURS = Driver.TOPOLVM;
    private static final NodeMarks MARKS = new NodeMarks(List.of(OURS));

    /** What deploy/nativestor has and deploy has not. */
    private static final List<String> RIGHTS =
            List.of(
                    "lvms-operator-nativestor",
                    "lvms-operator-raw-devices",
                    "vg-manager-raw-devices",
                    "vg-manager-old-volumes");

    Predecessor.Return all() throws ApiException, InterruptedException {
        var steps = new ArrayList<Step>();
        objects(steps);
        nodes(steps);
        unmark(steps);
        unlabel(steps);
        rights(steps);
        return new Predecessor.Return(obstacles(), state.unknownToNativeStor(), steps);
    }

    private List<String> obstacles() throws ApiException, InterruptedException {
        var found = new ArrayList<String>();
        for (var item : reads.list(LvmCluster.TYPE, ListOptions.all().namespace(namespace))) {
            found.add(item.text() + " would be served by nobody: delete it first");
        }
        for (var item : reads.list(OURS.logicalVolumes())) {
            found.add(
                    item.text()
                            + " of group "
                            + OURS.group()
                            + " would be served by nobody: delete its claim or snapshot first");
        }
        if (oursHaveWorked()) {
            var left = new ReturnObstacles(reads, "NativeStor", List.of(NativeStor.OLD), MARKS);
            found.addAll(left.all());
        }
        return found;
    }

    private boolean oursHaveWorked() throws ApiException, InterruptedException {
        var agents = ObjectKey.of(namespace, Names.VG_MANAGER);
        return !reads.named(Types.DAEMON_SET, agents).isEmpty()
                || reads.list(Types.NODE).stream().anyMatch(item -> MARKS.on(item.object()));
    }

    /** Nobody is left who would touch LVM for them: their volume groups stay. */
    private void objects(List<Step> steps) throws ApiException, InterruptedException {
        var inside = ListOptions.all().namespace(namespace);
        for (var type : List.of(LvmVolumeGroup.TYPE, LvmVolumeGroupNodeStatus.TYPE)) {
            for (var item : reads.list(type, inside)) {
                steps.add(
                        new Step.Change(
                                "let " + item.text() + " go without its volume group",
                                item,
                                now -> MergePatch.of(now).finalizers(List.of())));
                steps.add(delete(item));
            }
        }
    }

    /** A deleted Node would wait for our operator. */
    private void nodes(List<Step> steps) throws ApiException, InterruptedException {
        for (var item : reads.list(Types.NODE)) {
            if (MARKS.on(item.object())) {
                steps.add(
                        new Step.Change(
                                "take our marks off " + item.text(), item, MARKS::cleaning));
            }
        }
    }

    private void unmark(List<Step> steps) throws ApiException, InterruptedException {
        var key = ObjectKey.cluster(NativeStor.OLD.name());
        for (var item : reads.named(Types.CSI_DRIVER, key)) {
            if (Drivers.marked(item.object()).isPresent()) {
                steps.add(
                        new Step.Change(
                                "take the mark off " + item.text(),
                                item,
                                now ->
                                        MergePatch.of(now)
                                                .withoutAnnotation(Drivers.CONVERTED_MARK)));
            }
        }
    }

    private void unlabel(List<Step> steps) throws ApiException, InterruptedException {
        var key = ObjectKey.cluster(RawDevice.DRIVER.name());
        for (var item : reads.named(Types.CSI_DRIVER, key)) {
            if (ForeignDriver.isOurs(item.object())) {
                steps.add(
                        new Step.Change(
                                "take our labels off " + item.text(),
                                item,
                                DriverLabels::withoutThem));
            }
        }
    }

    private void rights(List<Step> steps) throws ApiException, InterruptedException {
        for (var name : RIGHTS) {
            remove(steps, Types.ROLE_BINDING, ObjectKey.of(namespace, name));
            remove(steps, Types.ROLE, ObjectKey.of(namespace, name));
            remove(steps, Types.CLUSTER_ROLE_BINDING, ObjectKey.cluster(name));
            remove(steps, Types.CLUSTER_ROLE, ObjectKey.cluster(name));
        }
        for (var name : List.of(Names.OPERATOR, Names.VG_MANAGER)) {
            remove(steps, Types.SERVICE_ACCOUNT, ObjectKey.of(namespace, name));
        }
    }

    private void remove(List<Step> steps, ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        for (var item : reads.named(type, key)) {
            if (Provenance.isOfOurManifests(item.object())) {
                steps.add(delete(item));
            }
        }
    }

    private static Step delete(Item item) {
        return new Step.Remove("delete " + item.text(), item);
    }
}
