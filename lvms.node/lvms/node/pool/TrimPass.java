package lvms.node.pool;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Names;
import lvms.lvm2.Grammar;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.filesystem.Mount;
import lvms.lvm2.filesystem.MountTable;
import lvms.lvm2.filesystem.MountedFilesystem;
import lvms.lvm2.system.DeviceNumber;
import lvms.lvm2.system.ErrnoException;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * One pass over the filesystems in a pool that kubelet has mounted: one after the other, in pieces,
 * with pauses that keep the rate. A filesystem is only held during a piece, so that a pod can end.
 *
 * @param rateBytes most bytes that are discarded in a second
 * @param kubelet kubelet's folder; what is mounted elsewhere is somebody else's
 * @param wanted whether to go on
 * @param reclaimed gets the bytes that the pool got back
 */
record TrimPass(
        LvName pool,
        long rateBytes,
        PoolGroups groups,
        DeviceMapper deviceMapper,
        Path kubelet,
        BooleanSupplier wanted,
        LongConsumer reclaimed) {
    private static final System.Logger LOG = System.getLogger(TrimPass.class.getName());

    /** A block group of ext4 with blocks of 4 KiB: it remembers which whole groups are trimmed. */
    private static final long UNIT = 128L << 20;

    private static final long LONGEST_PIECE = 1L << 30;
    private static final double SECOND = 1e9;
    private static final Set<Integer> UNABLE =
            Set.of(ErrnoException.EOPNOTSUPP, ErrnoException.ENOTTY, ErrnoException.EROFS);

    void run() throws LvmException, IOException, InterruptedException {
        var report =
                groups.fresh(pool.vg())
                        .filter(r -> r.group().tags().contains(Names.VOLUME_GROUP_TAG));
        if (report.isEmpty()) {
            return;
        }
        for (var volume : report.get().thinVolumes(pool.lv())) {
            var mount = mount(volume, MountTable.read());
            if (mount.isPresent()) {
                trim(volume, mount.get());
            }
        }
    }

    /** A filesystem that is read-only as a whole may not have replayed its log. */
    private Optional<Mount> mount(LogicalVolume volume, MountTable table) {
        if (volume.major().isEmpty() || volume.minor().isEmpty()) {
            return Optional.empty();
        }
        var number = new DeviceNumber(volume.major().getAsInt(), volume.minor().getAsInt());
        var mapped = "/dev/mapper/" + Grammar.deviceMapperName(volume.name());
        return table.ofDevice(number, Set.of(mapped, "/dev/dm-" + number.minor())).stream()
                .filter(mount -> mount.mountPoint().startsWith(kubelet))
                .filter(mount -> !mount.superOptions().contains("ro"))
                .findFirst();
    }

    private void trim(LogicalVolume volume, Mount mount) throws InterruptedException {
        boolean whole = mount.fsType().equals("btrfs"); // its addresses are not the device's
        long step = whole ? volume.sizeBytes() : pieceBytes(rateBytes);
        long length = whole ? MountedFilesystem.ALL : step;
        var filesystem = new MountedFilesystem(mount);
        try {
            for (long at = 0; at < volume.sizeBytes() && wanted.getAsBoolean(); at += step) {
                long before = mappedBytes(volume.name());
                long discarded = filesystem.trim(at, length);
                reclaimed.accept(Math.max(0, before - mappedBytes(volume.name())));
                Thread.sleep(pause(discarded, rateBytes));
            }
        } catch (IOException e) {
            boolean expected =
                    e instanceof ErrnoException errno
                            && (UNABLE.contains(errno.errno()) || pastTheEnd(errno));
            LOG.log(
                    expected ? DEBUG : WARNING,
                    () -> "filesystem not trimmed lv=" + volume.name() + ": " + e.getMessage());
        }
    }

    /** The device may be larger than the filesystem. */
    private static boolean pastTheEnd(ErrnoException e) {
        return e.errno() == ErrnoException.EINVAL;
    }

    /** Returns about a second's worth in whole units. */
    static long pieceBytes(long rateBytes) {
        return Math.clamp(rateBytes / UNIT * UNIT, UNIT, LONGEST_PIECE);
    }

    static Duration pause(long discardedBytes, long rateBytes) {
        return Duration.ofNanos((long) (discardedBytes * SECOND / rateBytes));
    }

    /** Returns what the volume maps in its pool; 0 if that cannot be told. */
    private long mappedBytes(LvName name) throws IOException, InterruptedException {
        return deviceMapper
                .state(Grammar.deviceMapperName(name))
                .filter(state -> state.targets().size() == 1)
                .map(state -> state.targets().getFirst())
                .flatMap(TrimPass::mappedBytes)
                .orElse(0L);
    }

    /** Status of a thin target: mapped sectors, then the highest; see thin-provisioning.rst. */
    static Optional<Long> mappedBytes(DeviceMapper.Target target) {
        var sectors = target.status().strip().split(" ")[0];
        return target.type().equals("thin") && sectors.matches("\\d+")
                ? Optional.of(Long.parseLong(sectors) * 512)
                : Optional.empty();
    }
}
