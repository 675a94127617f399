package lvms.node.client.storage;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.lvm2.LogicalVolumes.Tuning;
import lvms.lvm2.LvmException;
import lvms.node.client.LvmdConnection;
import lvms.node.format.BeingFormatted;
import lvms.node.format.ContentMark;
import lvms.node.format.Formats;
import lvms.node.volume.ActualVolume;
import lvms.node.volume.FormerVolumes;
import lvms.node.volume.NewVolume;
import lvms.node.volume.NodeStorage;
import lvms.node.volume.NodeVolumes;
import lvms.node.volume.VolumeHomes;
import lvms.node.volume.VolumeRefused;
import lvms.proto.lvmd.CreateLVRequest;
import lvms.proto.lvmd.CreateLVSnapshotRequest;
import lvms.proto.lvmd.RemoveLVRequest;
import lvms.proto.lvmd.ResizeLVRequest;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The volumes behind the lvmd of another process, TopoLVM's or ours. What its protocol cannot do is
 * not done: nothing is activated, and a copy that was made only in part is never finished, but
 * given up with its object.
 */
public final class LvmdStorage implements NodeStorage {
    private static final System.Logger LOG = System.getLogger(LvmdStorage.class.getName());

    private final LvmdConnection lvmd;
    private final Supplier<Set<String>> classes;
    private final Formats formats;
    private final KubeClient kube;
    private final NodeVolumes objects;
    private final VolumeHomes homes;

    /**
     * @param classes the names of lvmd's device classes
     * @param formats where filesystems are made on its volumes
     * @param node name of this node
     */
    public LvmdStorage(
            LvmdConnection lvmd,
            Supplier<Set<String>> classes,
            Formats formats,
            KubeClient kube,
            String node,
            NodeVolumes objects) {
        this.lvmd = lvmd;
        this.classes = classes;
        this.formats = formats;
        this.kube = kube;
        this.objects = objects;
        homes = VolumeHomes.notKnown(kube, node);
    }

    @Override
    public VolumeHomes homes() {
        return homes;
    }

    private interface Call<T> {
        T run() throws VolumeException, LvmException, InterruptedException;
    }

    private static <T> T ask(Call<T> call)
            throws LvmException, VolumeRefused, InterruptedException {
        try {
            return call.run();
        } catch (VolumeException e) {
            throw new VolumeRefused(e.code(), e.getMessage());
        }
    }

    private ClassLists lists() {
        return new ClassLists(lvmd, classes.get());
    }

    @Override
    public ActualVolume make(LogicalVolume volume, Optional<LogicalVolume> source)
            throws ApiException, LvmException, VolumeRefused, BeingFormatted, InterruptedException {
        var deviceClass = volume.spec().deviceClass();
        var lists = lists();
        var former = FormerVolumes.of(kube, objects, lists).find(volume, List.of(deviceClass));
        if (former.isPresent()) {
            LOG.log(INFO, () -> "volume found again name=" + volume.name() + " lv=" + former.get());
            return sized(volume, lists, former.get().lv());
        }
        var begun = lists.in(deviceClass, volume.uid());
        if (begun.isPresent()) {
            requireWhole(begun.get(), volume);
            return sized(volume, lists, volume.uid());
        }
        var made = source.isPresent() ? copy(volume, source.get(), lists) : fresh(volume);
        LOG.log(
                INFO,
                () ->
                        "logical volume made name="
                                + volume.name()
                                + " lv="
                                + made.getName()
                                + " sizeBytes="
                                + made.getSizeBytes());
        return new ActualVolume("", made.getName(), made.getSizeBytes());
    }

    /** Nobody could take a mark away again that says that there is no filesystem yet. */
    private static Set<String> tags(LogicalVolume volume) {
        var mark = ContentMark.ofNew(NewVolume.mode(volume));
        return NewVolume.tags(volume, mark.filter(known -> known == ContentMark.BLOCK));
    }

    private void noteNew(LogicalVolume volume) throws VolumeRefused {
        try {
            formats.making(volume.uid());
        } catch (IOException e) {
            throw new VolumeRefused(
                    StatusCode.INTERNAL,
                    "cannot note on this node that the volume is new: " + e.getMessage());
        }
    }

    private lvms.proto.lvmd.LogicalVolume fresh(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException {
        long size = NewVolume.sizeOf(volume);
        if (size == 0) {
            throw new VolumeRefused(StatusCode.INVALID_ARGUMENT, "size is zero");
        }
        if (NewVolume.isFilesystem(volume)) {
            noteNew(volume);
        }
        return ask(
                () ->
                        lvmd.create(
                                CreateLVRequest.newBuilder()
                                        .setName(volume.uid())
                                        .setDeviceClass(volume.spec().deviceClass())
                                        .setLvcreateOptionClass(volume.spec().lvcreateOptionClass())
                                        .setSizeBytes(size)
                                        .addAllTags(tags(volume))
                                        .build()));
    }

    private lvms.proto.lvmd.LogicalVolume copy(
            LogicalVolume volume, LogicalVolume source, ClassLists lists)
            throws LvmException, VolumeRefused, BeingFormatted, InterruptedException {
        NewVolume.writable(volume.spec().accessType());
        long need = NewVolume.copySize(source, NewVolume.sizeOf(volume));
        var id = source.status().volumeId();
        var deviceClass = volume.spec().deviceClass();
        if (lists.in(deviceClass, id).isEmpty()) { // TopoLVM's lvmd would copy it all the same
            throw new VolumeRefused(
                    StatusCode.INVALID_ARGUMENT,
                    "the source "
                            + source.name()
                            + " is not in device class "
                            + (deviceClass.isEmpty() ? "(default)" : deviceClass)
                            + ", where a copy of it is wanted");
        }
        var request =
                CreateLVSnapshotRequest.newBuilder()
                        .setName(volume.uid())
                        .setDeviceClass(deviceClass)
                        .setSourceVolume(id)
                        .setSizeBytes(need)
                        .setAccessType(volume.spec().accessType())
                        .addAllTags(tags(volume))
                        .build();
        try (var _ = formats.copying(List.of(id))) {
            return ask(() -> lvmd.snapshot(request));
        }
    }

    /** An earlier call made it, and nobody knows how far it got. */
    private static void requireWhole(ClassLists.Entry begun, LogicalVolume volume)
            throws VolumeRefused {
        boolean writable = !volume.isSnapshot();
        boolean large = begun.sizeBytes() >= NewVolume.sizeOf(volume);
        if (begun.writable() != writable || !writable && !large) {
            throw new VolumeRefused(
                    StatusCode.INTERNAL,
                    begun.name()
                            + " was made only in part, and lvmd's protocol cannot finish it; it is"
                            + " removed with this object");
        }
    }

    @Override
    public ActualVolume measure(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException {
        return sized(volume, lists(), volume.volumeName());
    }

    @Override
    public ActualVolume grow(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException {
        return measure(volume);
    }

    private ActualVolume sized(LogicalVolume volume, ClassLists lists, String id)
            throws LvmException, VolumeRefused, InterruptedException {
        var there =
                lists.find(id, volume.spec().deviceClass())
                        .orElseThrow(
                                () ->
                                        new VolumeRefused(
                                                StatusCode.NOT_FOUND,
                                                "logical volume "
                                                        + id
                                                        + " is in no device class of lvmd"));
        long wanted = NewVolume.sizeOf(volume);
        if (there.sizeBytes() >= wanted) {
            return new ActualVolume("", id, there.sizeBytes());
        }
        long grown =
                ask(
                        () ->
                                lvmd.resize(
                                        ResizeLVRequest.newBuilder()
                                                .setName(id)
                                                .setDeviceClass(there.deviceClass())
                                                .setSizeBytes(wanted)
                                                .build()));
        LOG.log(INFO, () -> "logical volume grown lv=" + there.name() + " sizeBytes=" + grown);
        return new ActualVolume("", id, grown);
    }

    @Override
    public Optional<Found> find(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException {
        return lists().find(volume.volumeName(), volume.spec().deviceClass())
                .map(
                        entry ->
                                new Found(
                                        entry.name(),
                                        Optional.of(entry.deviceClass()),
                                        entry.tags()));
    }

    /**
     * An lvmd says NOT_FOUND of a volume whose class or group it does not know, too. So the class
     * has to be there, and its list must not have the volume.
     */
    @Override
    public void requireGone(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException {
        var deviceClass = volume.spec().deviceClass();
        var lists = lists();
        if (!lists.has(deviceClass)) {
            throw new VolumeRefused(
                    StatusCode.FAILED_PRECONDITION,
                    "lvmd does not know device class "
                            + deviceClass
                            + ", so the volume in it cannot be removed; put the class back into"
                            + " lvmd.yaml");
        }
        if (lists.find(volume.volumeName(), deviceClass).isPresent()) {
            throw NodeStorage.isBack(volume);
        }
    }

    @Override
    public void remove(LogicalVolume volume, Found found)
            throws LvmException, VolumeRefused, InterruptedException {
        var lv = found.name().lv();
        var deviceClass = found.deviceClass().orElseThrow();
        try {
            lvmd.remove(
                    RemoveLVRequest.newBuilder().setName(lv).setDeviceClass(deviceClass).build());
        } catch (VolumeException e) {
            var there = lists().in(deviceClass, lv);
            if (there.isPresent() && there.get().open()) {
                throw new LvmException.InUse(found.name() + " is in use: " + e.getMessage());
            }
            if (there.isPresent() || e.code() != StatusCode.NOT_FOUND) {
                throw new VolumeRefused(e.code(), e.getMessage());
            }
        }
    }

    @Override
    public void takeAtOnce(List<Copy> copies) throws VolumeRefused {
        throw new VolumeRefused(
                StatusCode.UNIMPLEMENTED,
                "lvmd's protocol cannot take snapshots of several volumes at once; use"
                        + " topolvm-node --embed-lvmd");
    }

    @Override
    public Tuning tuning(LogicalVolume volume) throws VolumeRefused {
        throw new VolumeRefused(
                StatusCode.UNIMPLEMENTED, "lvmd's protocol cannot say how a volume is tuned");
    }

    @Override
    public Tuning tune(LogicalVolume volume, Tuning wanted) throws VolumeRefused {
        throw new VolumeRefused(
                StatusCode.INVALID_ARGUMENT, // only that ends the change of a claim
                "lvmd's protocol cannot change attributes of a volume; use topolvm-node"
                        + " --embed-lvmd, or take the VolumeAttributesClass off the claim");
    }

    /** The Watch stream tells what is free, whatever lvmd refused. */
    @Override
    public void noteRefusal(LogicalVolume volume, LvmException failure) {}
}
