package lvms.node.csi;

import static java.lang.System.Logger.Level.DEBUG;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.LvHealth;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.client.LvmdConnection;
import lvms.node.format.ContentMark;
import lvms.node.format.Formats;
import lvms.node.volume.VolumeHomes;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The devices of volumes that the lvmd of another process keeps. The device-mapper of this machine
 * has them, so a pod starts and ends while lvmd is away; lvmd is asked about a volume that has no
 * device, and how healthy one is that the device-mapper finds nothing wrong with.
 */
public final class LvmdVolumeDevices implements VolumeDevices {
    private static final System.Logger LOG = System.getLogger(LvmdVolumeDevices.class.getName());
    private static final int LV_ATTR = 10;

    private final KnownVolumes volumes;
    private final LvmdConnection lvmd;
    private final Formats formats;
    private final MappedVolumes mapped;
    private final RecentLists lists;

    public LvmdVolumeDevices(
            KnownVolumes volumes, LvmdConnection lvmd, Formats formats, DeviceMapper deviceMapper) {
        this.volumes = volumes;
        this.lvmd = lvmd;
        this.formats = formats;
        mapped = new MappedVolumes(deviceMapper);
        lists = new RecentLists(lvmd);
    }

    @Override
    public void awaitKnown(Duration patience) throws InterruptedException {
        volumes.await(patience);
    }

    @Override
    public void require(VolumeId volume) throws VolumeException, InterruptedException {
        volumes.find(volume);
    }

    /** The UUID of a device begins with that of its group; lvmd's protocol does not have it. */
    @Override
    public void requireHome(VolumeId volume, Optional<String> handedOut)
            throws VolumeException, IOException, InterruptedException {
        var object = volumes.find(volume);
        var name = mapped.byName(volume);
        var uuid = name.isEmpty() ? Optional.<String>empty() : mapped.groupUuid(name.get());
        var mismatch =
                uuid.flatMap(u -> VolumeHomes.mismatch(object, handedOut, name.get().vg(), u));
        if (mismatch.isPresent()) {
            throw new VolumeException(StatusCode.FAILED_PRECONDITION, mismatch.get());
        }
    }

    @Override
    public VolumeDevice active(VolumeId volume)
            throws VolumeException, LvmException, IOException, InterruptedException {
        var object = volumes.find(volume);
        if (object.object().terminating()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION, "the volume is being deleted: " + volume);
        }
        var name = mapped.byName(volume);
        var state =
                name.isEmpty() ? Optional.<DeviceMapper.State>empty() : mapped.state(name.get());
        if (state.isEmpty()) {
            throw without(object, volume);
        }
        if (state.get().suspended()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    name.get()
                            + " is suspended: a change was cut short; run dmsetup resume, or"
                            + " lvchange --refresh "
                            + name.get());
        }
        return MappedVolumes.device(name.get(), state.get());
    }

    private VolumeException without(LogicalVolume object, VolumeId volume)
            throws VolumeException, LvmException, InterruptedException {
        var there = listed(object, volume);
        return there.map(
                        lv ->
                                new VolumeException(
                                        StatusCode.FAILED_PRECONDITION,
                                        "the volume is not active, and lvmd's protocol cannot"
                                                + " activate it; run lvchange --activate y "
                                                + lv.getPath()))
                .orElseGet(
                        () ->
                                new VolumeException(
                                        StatusCode.NOT_FOUND,
                                        "lvmd has no volume "
                                                + volume
                                                + " in the device class of "
                                                + object.name()));
    }

    private Optional<lvms.proto.lvmd.LogicalVolume> listed(LogicalVolume object, VolumeId volume)
            throws VolumeException, LvmException, InterruptedException {
        return lvmd.list(object.spec().deviceClass()).stream()
                .filter(lv -> lv.getName().equals(volume.text()))
                .findFirst();
    }

    @Override
    public Optional<VolumeDevice> find(VolumeId volume)
            throws VolumeException, IOException, InterruptedException {
        volumes.find(volume);
        return mapped.find(volume);
    }

    /**
     * lvmd's protocol changes no tags: a file of this node says that a volume was made here and has
     * no filesystem yet. The tags say which one is a Block volume.
     */
    @Override
    public VolumePast past(VolumeId volume, boolean anew)
            throws VolumeException, LvmException, IOException, InterruptedException {
        var object = volumes.find(volume);
        var name =
                mapped.byName(volume)
                        .orElseThrow(
                                () ->
                                        new VolumeException(
                                                StatusCode.ABORTED, volume + " is not active"));
        var mark =
                formats.isNew(volume.text())
                        ? Optional.of(ContentMark.NO_FILESYSTEM)
                        : Optional.<ContentMark>empty();
        if (anew && mark.isEmpty()) {
            mark = tagged(object, volume);
        }
        return mapped.past(object, name, mark, Optional.empty(), false);
    }

    /**
     * While lvmd is away, pods start all the same; the object says, too, what a Block volume is.
     */
    private Optional<ContentMark> tagged(LogicalVolume object, VolumeId volume)
            throws InterruptedException {
        try {
            return listed(object, volume)
                    .flatMap(lv -> ContentMark.of(Set.copyOf(lv.getTagsList())))
                    .filter(known -> known != ContentMark.NO_FILESYSTEM);
        } catch (VolumeException | LvmException e) {
            LOG.log(
                    DEBUG,
                    () -> "tags not read from lvmd volume=" + volume + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public void mark(VolumeId volume, ContentMark mark) throws IOException {
        if (mark == ContentMark.FILESYSTEM) {
            formats.notNew(volume.text());
        }
    }

    @Override
    public void takePermission(VolumeId volume) throws VolumeException, InterruptedException {
        volumes.takePermission(volume);
    }

    @Override
    public Optional<String> trouble(VolumeId volume)
            throws VolumeException, IOException, InterruptedException {
        var object = volumes.find(volume);
        var name = mapped.byName(volume);
        if (name.isEmpty()) {
            return Optional.of("the volume is not active");
        }
        var own = mapped.trouble(name.get());
        return own.isPresent() ? own : told(object.spec().deviceClass(), volume);
    }

    /** What LVM says of a volume covers its pool. While lvmd is away, nothing more is known. */
    private Optional<String> told(String deviceClass, VolumeId volume) throws InterruptedException {
        try {
            return lists.of(deviceClass).stream()
                    .filter(lv -> lv.getName().equals(volume.text()))
                    .map(lvms.proto.lvmd.LogicalVolume::getAttr)
                    .filter(attributes -> attributes.length() == LV_ATTR)
                    .findFirst()
                    .flatMap(LvHealth::of)
                    .map(LvHealth::text);
        } catch (VolumeException | LvmException e) {
            LOG.log(
                    DEBUG,
                    () -> "health not told by lvmd volume=" + volume + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * The lists of device classes for kubelet's questions, which come once a minute for each
     * volume: each list is read at most twice a minute.
     */
    private static final class RecentLists {
        private static final Duration AGE = Duration.ofSeconds(30);

        private final LvmdConnection lvmd;
        private final Map<String, Recent> recent = new HashMap<>();

        RecentLists(LvmdConnection lvmd) {
            this.lvmd = lvmd;
        }

        private record Recent(List<lvms.proto.lvmd.LogicalVolume> list, long readNanos) {}

        synchronized List<lvms.proto.lvmd.LogicalVolume> of(String deviceClass)
                throws VolumeException, LvmException, InterruptedException {
            var last = recent.get(deviceClass);
            if (last == null || System.nanoTime() - last.readNanos() > AGE.toNanos()) {
                last = new Recent(lvmd.list(deviceClass), System.nanoTime());
                recent.put(deviceClass, last);
            }
            return last.list();
        }
    }
}
