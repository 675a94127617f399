package lvms.tests.lab.kubelet;

import static lvms.tests.lab.standin.Trees.object;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.proto.csi.v1.NodeServiceCapability.RPC.Type;
import lvms.proto.csi.v1.VolumeUsage;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.standin.Violations;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The CSI volumes of a node: staged once, published for each pod, and taken down in reverse order.
 */
final class Volumes {
    private static final Set<Status.Code> UNCERTAIN =
            Set.of(
                    Status.Code.DEADLINE_EXCEEDED,
                    Status.Code.CANCELLED,
                    Status.Code.UNAVAILABLE,
                    Status.Code.ABORTED,
                    Status.Code.RESOURCE_EXHAUSTED);

    /** A volume of a pod that is published, or may be. */
    record Published(CsiVolume volume, VolumePaths paths, boolean staged, Set<Type> has) {}

    private static final class Device {
        final ReentrantLock lock = new ReentrantLock();
        final Map<String, Published> byPod = new HashMap<>();
        boolean staged;
    }

    private final KubeClient kube;
    private final Node node;
    private final Drivers drivers;
    private final Violations violations;
    private final Map<String, Device> devices = new ConcurrentHashMap<>();

    Volumes(KubeClient kube, Node node, Drivers drivers, Violations violations) {
        this.kube = kube;
        this.node = node;
        this.drivers = drivers;
        this.violations = violations;
    }

    /** Stages and publishes a volume for a pod; both may have been done before. */
    Published mount(KubeObject pod, CsiVolume volume, boolean readOnly)
            throws VolumeFailure, ApiException, InterruptedException {
        var device = devices.computeIfAbsent(volume.handle(), _ -> new Device());
        device.lock.lockInterruptibly();
        try {
            var service = service(volume.driver());
            var paths = paths(volume, pod.uid());
            var has = service.capabilities();
            boolean staging = has.contains(Type.STAGE_UNSTAGE_VOLUME);
            if (staging && !device.staged) {
                node.shell("mkdir -p -m 0750 " + paths.staging());
                service.stage(volume, paths, has);
                device.staged = true;
            }
            var published = new Published(volume, paths, staging, has);
            publish(service, device, pod, published, readOnly);
            chown(pod, volume, paths, readOnly);
            checkStats(service, published);
            return published;
        } catch (StatusRuntimeException e) {
            throw new VolumeFailure("MountVolume failed for volume " + volume.name(), e);
        } catch (IOException e) {
            throw new VolumeFailure("node " + node.name() + " does not answer", e);
        } finally {
            device.lock.unlock();
        }
    }

    private void publish(
            CsiNodeService service,
            Device device,
            KubeObject pod,
            Published published,
            boolean readOnly)
            throws IOException, ApiException, InterruptedException {
        var paths = published.paths();
        var volume = published.volume();
        var data =
                object(
                        "driverName", volume.driver(),
                        "volumeHandle", volume.handle(),
                        "specVolID", volume.name(),
                        "nodeName", node.name(),
                        "volumeLifecycleMode", "Persistent");
        node.shell(
                "mkdir -p -m 0750 $(dirname %s) $(dirname %s) && printf %%s '%s' >%s"
                        .formatted(paths.target(), paths.volumeData(), data, paths.volumeData()));
        try {
            var has = service.capabilities(); // kubelet asks again before it publishes
            service.publish(
                    volume,
                    paths,
                    published.staged(),
                    readOnly,
                    podInfo(pod, volume.driver()),
                    has);
        } catch (StatusRuntimeException e) {
            if (UNCERTAIN.contains(e.getStatus().getCode())) {
                device.byPod.put(pod.uid(), published); // it is unpublished although it failed
            }
            throw e;
        }
        device.byPod.put(pod.uid(), published);
        boolean there =
                volume.block()
                        ? node.run("test", "-b", paths.target()).succeeded()
                        : node.run("mountpoint", "-q", paths.target()).succeeded();
        violations.demand(
                there, "NodePublishVolume succeeded, and nothing is at " + paths.target());
    }

    private Map<String, String> podInfo(KubeObject pod, String driver)
            throws ApiException, InterruptedException {
        var object = kube.find(Types.CSI_DRIVER, ObjectKey.cluster(driver));
        if (!object.flatMap(d -> d.flag("spec", "podInfoOnMount")).orElse(false)) {
            return Map.of();
        }
        return Map.of(
                "csi.storage.k8s.io/pod.name", pod.name(),
                "csi.storage.k8s.io/pod.namespace", pod.namespace(),
                "csi.storage.k8s.io/pod.uid", pod.uid(),
                "csi.storage.k8s.io/serviceAccount.name",
                        pod.text("spec", "serviceAccountName").orElse("default"),
                "csi.storage.k8s.io/ephemeral", "false");
    }

    private void chown(KubeObject pod, CsiVolume volume, VolumePaths paths, boolean readOnly)
            throws IOException {
        var group = pod.number("spec", "securityContext", "fsGroup");
        boolean wanted =
                !volume.fsType().isEmpty() && volume.accessModes().contains("ReadWriteOnce");
        if (group.isPresent() && wanted && !volume.block() && !readOnly) {
            long id = group.getAsLong();
            node.shell(
                    "chgrp -R %d %s && chmod -R g+rwX %s && chmod g+s %s"
                            .formatted(id, paths.target(), paths.target(), paths.target()));
        }
    }

    private void checkStats(CsiNodeService service, Published published) throws IOException {
        if (!published.has().contains(Type.GET_VOLUME_STATS)) {
            return;
        }
        var volume = published.volume();
        var usage =
                service.stats(volume.handle(), published.paths(), published.staged())
                        .getUsageList();
        boolean bytes =
                usage.stream()
                        .anyMatch(u -> u.getUnit() == VolumeUsage.Unit.BYTES && u.getTotal() > 0);
        violations.demand(
                bytes, "NodeGetVolumeStats of " + volume.name() + " has no total of bytes");
    }

    /** Unpublishes a pod's volume, and unstages it after the last pod. */
    void unmount(String podUid, Published published) throws VolumeFailure, InterruptedException {
        var volume = published.volume();
        var device = devices.get(volume.handle());
        device.lock.lockInterruptibly();
        try {
            var service = service(volume.driver());
            if (device.byPod.containsKey(podUid)) {
                unpublish(service, published);
                device.byPod.remove(podUid);
            }
            if (device.staged && device.byPod.isEmpty()) {
                service.unstage(volume.handle(), published.paths());
                node.shell("rm -rf " + published.paths().staging());
                device.staged = false;
            }
        } catch (StatusRuntimeException e) {
            throw new VolumeFailure("UnmountVolume failed for volume " + volume.name(), e);
        } catch (IOException e) {
            throw new VolumeFailure("node " + node.name() + " does not answer", e);
        } finally {
            device.lock.unlock();
        }
    }

    private void unpublish(CsiNodeService service, Published published) throws IOException {
        var paths = published.paths();
        service.unpublish(published.volume().handle(), paths);
        boolean gone = !node.run("test", "-e", paths.target()).succeeded();
        violations.demand(gone, "NodeUnpublishVolume succeeded and left " + paths.target());
        if (gone) {
            node.shell("rm -f " + paths.volumeData());
            node.run("rmdir", paths.target().substring(0, paths.target().lastIndexOf('/')));
        }
    }

    /** Grows a published volume to the size that its PersistentVolume has by now. */
    void expand(Published published, CsiVolume grown) throws VolumeFailure, InterruptedException {
        var device = devices.get(grown.handle());
        device.lock.lockInterruptibly();
        try {
            var service = service(grown.driver());
            if (published.has().contains(Type.EXPAND_VOLUME)) {
                long bytes = grown.capacityBytes();
                service.expand(
                        grown, published.paths(), published.staged(), bytes, published.has());
            }
        } catch (StatusRuntimeException e) {
            throw new VolumeFailure("NodeExpandVolume failed for volume " + grown.name(), e);
        } catch (IOException e) {
            throw new VolumeFailure("node " + node.name() + " does not answer", e);
        } finally {
            device.lock.unlock();
        }
    }

    private CsiNodeService service(String driver) throws VolumeFailure {
        var endpoint = drivers.endpoint(driver);
        if (endpoint.isEmpty()) {
            throw new VolumeFailure(
                    "driver name " + driver + " not found in the list of registered CSI drivers");
        }
        return new CsiNodeService(node, endpoint.get());
    }

    private static VolumePaths paths(CsiVolume volume, String podUid) {
        return volume.block()
                ? VolumePaths.block(volume.name(), podUid)
                : VolumePaths.filesystem(volume.driver(), volume.handle(), volume.name(), podUid);
    }

    /** The handles that are staged or published now. */
    Set<String> inUse() {
        var handles = new HashSet<String>();
        devices.forEach(
                (handle, device) -> {
                    if (device.staged || !device.byPod.isEmpty()) {
                        handles.add(handle);
                    }
                });
        return handles;
    }
}
