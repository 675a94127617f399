package lvms.operator.uninstall;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Result;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;

import java.time.Duration;
import java.util.Set;

/** The node agents of all nodes, which make and remove groups and volumes on disks in memory. */
final class SimulatedAgents implements AutoCloseable {
    private static final Driver DRIVER = Driver.TOPOLVM;
    private static final Duration AGAIN = Duration.ofMillis(200);

    private final KubeClient kube;
    private final Disks disks;
    private final Set<String> nodes;
    private final Informer volumes;
    private final Informer groups;
    private final Controller<ObjectKey> volumeWork;
    private final Controller<ObjectKey> groupWork;

    /**
     * Starts them.
     *
     * @param nodes where an agent runs; may change
     */
    SimulatedAgents(KubeClient kube, Disks disks, Set<String> nodes) {
        this.kube = kube;
        this.disks = disks;
        this.nodes = nodes;
        volumes = Informer.of(kube, DRIVER.logicalVolumes()).build();
        groups = Informer.of(kube, LvmVolumeGroup.TYPE).build();
        volumeWork = Controller.named("sim-volumes", this::volume).watch(volumes).build();
        groupWork = Controller.named("sim-groups", this::group).watch(groups).build();
        volumeWork.start();
        groupWork.start();
    }

    private Result volume(ObjectKey key) throws ApiException, InterruptedException {
        var found = volumes.get(key).map(LogicalVolume::tolerant);
        if (found.isEmpty()
                || found.get().pendingDeletion()
                || !nodes.contains(found.get().spec().nodeName())) {
            return Result.done();
        }
        var volume = found.get();
        if (!volume.object().terminating()) {
            make(volume);
        } else if (!typeGoes()) { // a volume is kept if its whole type is deleted
            disks.volumes().remove(volume.uid());
            kube.removeFinalizer(
                    DRIVER.logicalVolumes(), volume.object(), DRIVER.volumeFinalizer());
        }
        return Result.done();
    }

    private void make(LogicalVolume volume) throws ApiException, InterruptedException {
        var held =
                kube.addFinalizer(
                        DRIVER.logicalVolumes(), volume.object(), DRIVER.volumeFinalizer());
        volumes.observed(held);
        disks.volumes().put(volume.uid(), volume.spec().nodeName());
        if (volume.status().volumeId().isEmpty()) {
            var status = ObjectTree.builder();
            status.put("volumeID", volume.uid());
            status.put("currentSize", volume.spec().size().toString());
            var patch = ObjectTree.builder();
            patch.put("status", status.build());
            volumes.observed(
                    kube.mergePatchStatus(
                            DRIVER.logicalVolumes(), volume.object().key(), patch.build()));
        }
    }

    private boolean typeGoes() throws ApiException, InterruptedException {
        var name = DRIVER.logicalVolumes().qualifiedPlural();
        return kube.find(Types.CRD, ObjectKey.cluster(name))
                .map(KubeObject::terminating)
                .orElse(true);
    }

    private Result group(ObjectKey key) throws ApiException, InterruptedException {
        var found = groups.get(key);
        if (found.isEmpty()) {
            return Result.done();
        }
        var group = found.get();
        boolean done = true;
        for (var node : nodes) {
            var finalizer = Names.nodeCleanupFinalizer(node);
            var onDisk = key.name() + "@" + node;
            if (!group.terminating()) {
                disks.groups().add(onDisk);
                group = kube.addFinalizer(LvmVolumeGroup.TYPE, group, finalizer);
            } else if (group.finalizers().contains(finalizer)) {
                if (disks.volumes().containsValue(node)) {
                    done = false;
                } else {
                    disks.groups().remove(onDisk);
                    var left = kube.removeFinalizer(LvmVolumeGroup.TYPE, group, finalizer);
                    if (left.isEmpty()) {
                        return Result.done();
                    }
                    group = left.get();
                }
            }
        }
        return done ? Result.done() : Result.requeueAfter(AGAIN);
    }

    @Override
    public void close() {
        volumeWork.close();
        groupWork.close();
        volumes.close();
        groups.close();
    }
}
