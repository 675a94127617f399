package lvms.node.rawdevice;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.nativestor.DeviceTenancy;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.lvm2.content.DeviceErasure;
import lvms.lvm2.device.BlockDevice;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.DeviceExaminer;
import lvms.lvm2.device.Obstacle;
import lvms.lvm2.label.DeviceData;
import lvms.lvm2.system.Boot;
import lvms.node.erasure.DeviceZeroing;
import lvms.node.proof.Proofs;
import lvms.node.proof.RawDeviceErasure;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Erases what volumes have left, one device after the other, before another volume can get it. What
 * is done is in the object, so the next process goes on from there.
 *
 * <p>One thread calls; the writing is done by another.
 *
 * @param objects the RawDevices of this node
 * @param devices where devices are looked for
 * @param zeroing writes, at its rate
 */
record Erasing(Informer objects, BlockDevices devices, DeviceZeroing zeroing) {
    private static final System.Logger LOG = System.getLogger(Erasing.class.getName());

    private static final String UNKNOWN =
            "nothing proves which disk this is: erase it by hand, then remove the annotation "
                    + RawDevice.CONTENT;

    /**
     * Begins what is due, and writes down how far it is.
     *
     * @param known the objects
     */
    void pass(List<RawDevice> known) throws IOException, ApiException, InterruptedException {
        for (var object : known) {
            if (object.toBeErased()) {
                pass(object, user(object, known));
            } else {
                zeroing.stop(object.object().uid()); // whoever gave it away knows why
            }
        }
    }

    /** Two objects of one disk are a mistake, but the data of a volume is more than that. */
    private static Optional<String> user(RawDevice object, List<RawDevice> known) {
        return known.stream()
                .filter(RawDevice::allocated)
                .filter(other -> RawLedger.isSameDisk(object, other))
                .findFirst()
                .map(other -> "a volume has the disk, as RawDevice " + other.name());
    }

    private void pass(RawDevice object, Optional<String> user)
            throws IOException, ApiException, InterruptedException {
        if (user.isPresent()) {
            zeroing.stop(object.object().uid());
            write(object, object.erasedBytes(), user);
            return;
        }
        var running = zeroing.find(object.object().uid());
        if (running.isEmpty()) {
            begin(object);
        } else if (!running.get().ended()) {
            write(object, running.get().durableBytes(), Optional.empty());
        } else {
            zeroing.forget(object.object().uid());
            end(object, running.get());
        }
    }

    private void begin(RawDevice object) throws IOException, ApiException, InterruptedException {
        if (object.identity().isEmpty()) {
            write(object, object.erasedBytes(), Optional.of(UNKNOWN));
            return;
        }
        var disk = RawDisk.of(object, devices);
        if (disk.isEmpty()) {
            return; // it may come back
        }
        var uses = uses(disk.get());
        var unreadable = uses.stream().filter(Erasing::isUnreadable).findFirst();
        if (unreadable.isPresent()) {
            write(object, object.erasedBytes(), unreadable.map(Obstacle::text));
            return;
        }
        try {
            begin(object, disk.get(), uses);
        } catch (IOException e) {
            var why = "cannot be read: " + e.getMessage();
            write(object, object.erasedBytes(), Optional.of(why));
        }
    }

    private void begin(RawDevice object, BlockDevice disk, List<Obstacle> uses)
            throws IOException, ApiException, InterruptedException {
        var evidence = evidence(object, disk);
        var doubt = Proofs.erase(evidence).map(why -> why + confirmable(object, evidence.now()));
        if (doubt.isPresent()) {
            write(object, object.erasedBytes(), doubt);
        } else if (isFirstLook(object, evidence)) {
            objects.patch(
                    MergePatch.of(object.object())
                            .ifUnchanged()
                            .annotation(RawDevice.LEFT, evidence.start().digest()));
        } else if (!uses.isEmpty()) {
            write(object, object.erasedBytes(), Optional.of(uses.getFirst().text()));
        } else {
            zeroing.start(
                    object.object().uid(),
                    object.spec().realPath(),
                    object.erasedBytes(),
                    () -> DeviceErasure.claim(disk));
        }
    }

    /** What is noted then is what the volume left; the write of it leads to the next pass. */
    private static boolean isFirstLook(RawDevice object, RawDeviceErasure evidence) {
        return object.erasedBytes() == 0
                && evidence.left().isEmpty()
                && evidence.confirmed().isEmpty();
    }

    private static RawDeviceErasure evidence(RawDevice object, BlockDevice disk)
            throws IOException {
        return new RawDeviceErasure(
                RawDeviceMatch.isPlace(RawDeviceMatch.identity(object.identity())),
                object.tenancy(),
                new DeviceTenancy(Boot.id(), disk.sequence(), disk.sizeBytes()),
                object.object().annotation(RawDevice.LEFT),
                DeviceData.start(disk.path()),
                object.object().annotation(RawDevice.CONFIRMED));
    }

    private static String confirmable(RawDevice object, DeviceTenancy now) {
        return ". Look at "
                + object.spec().realPath()
                + " of the node; if all of it may be erased: kubectl annotate rawdevice "
                + object.name()
                + " "
                + RawDevice.CONFIRMED
                + "='"
                + now.text()
                + "'";
    }

    /** What the volume left on it may go, but nobody may use it. */
    private List<Obstacle> uses(BlockDevice disk) throws IOException, InterruptedException {
        return new DeviceExaminer(devices)
                .examine(disk.path()).stream()
                        .flatMap(examination -> examination.obstacles().stream())
                        .filter(Erasing::isUse)
                        .toList();
    }

    private static boolean isUnreadable(Obstacle obstacle) {
        return obstacle instanceof Obstacle.Suspended
                || obstacle instanceof Obstacle.NoMedium
                || obstacle instanceof Obstacle.Unreadable;
    }

    private static boolean isUse(Obstacle obstacle) {
        return switch (obstacle) {
            case Obstacle.Content _, Obstacle.PartitionTable _, Obstacle.Children _ -> false;
            case Obstacle.ReadOnly _,
                    Obstacle.Suspended _,
                    Obstacle.NoMedium _,
                    Obstacle.Mounted _,
                    Obstacle.Swap _,
                    Obstacle.OtherPath _,
                    Obstacle.Held _,
                    Obstacle.Opened _,
                    Obstacle.Unreadable _ ->
                    true;
        };
    }

    private void end(RawDevice object, DeviceZeroing.Run run)
            throws ApiException, InterruptedException {
        if (run.failure().isPresent()) {
            write(object, run.durableBytes(), run.failure());
            return;
        }
        objects.patch(
                MergePatch.of(object.object())
                        .ifUnchanged()
                        .withoutAnnotation(RawDevice.CONTENT)
                        .withoutAnnotation(RawDevice.VOLUME) // the volume that had it
                        .withoutAnnotation(RawDevice.REFUSAL)
                        .withoutAnnotation(RawDevice.TENANCY)
                        .withoutAnnotation(RawDevice.LEFT)
                        .withoutAnnotation(RawDevice.CONFIRMED)
                        .withoutAnnotation(RawDevice.ERASED)
                        .withoutAnnotation(RawDevice.ERASURE_FAILURE));
        LOG.log(INFO, () -> "raw device erased name=" + object.name());
    }

    private void write(RawDevice object, long bytes, Optional<String> failure)
            throws ApiException, InterruptedException {
        if (object.erasedBytes() == bytes && object.erasureFailure().equals(failure)) {
            return;
        }
        var patch =
                MergePatch.of(object.object()).annotation(RawDevice.ERASED, Long.toString(bytes));
        objects.patch(
                failure.isPresent()
                        ? patch.annotation(RawDevice.ERASURE_FAILURE, failure.get())
                        : patch.withoutAnnotation(RawDevice.ERASURE_FAILURE));
        failure.ifPresent(
                why ->
                        LOG.log(
                                WARNING,
                                () ->
                                        "raw device not erased, will retry name=%s path=%s: %s"
                                                .formatted(
                                                        object.name(),
                                                        object.spec().realPath(),
                                                        why)));
    }
}
