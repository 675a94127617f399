package lvms.node.pool;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.Names;
import lvms.api.ThinPoolConfig;
import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.PoolSize;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.device.DeviceMapper;

import java.io.IOException;
import java.util.Optional;

/**
 * Looks at one pool, and lets it grow as far as its guard wants.
 *
 * @param groups the volume groups
 * @param owner what the pool's class wants
 * @param deviceMapper tells how full the pool is
 * @param host what the machine's LVM does by itself
 */
record PoolGrower(PoolGroups groups, PoolOwner owner, DeviceMapper deviceMapper, PoolHost host) {
    private static final System.Logger LOG = System.getLogger(PoolGrower.class.getName());

    /** Metadata, data, and data again after a burst; a step without effect must not loop. */
    private static final int STEPS = 4;

    /** What was found in the end. */
    record Found(Identity<LvName> pool, PoolState state, PoolGuard guard) {}

    /**
     * Lets the pool grow until its guard is content.
     *
     * @return empty if there is no such pool, or it is not active
     */
    Optional<Found> attend(LvName pool) throws LvmException, IOException, InterruptedException {
        for (int step = 1; ; step++) {
            var found = look(pool);
            var growth = found.flatMap(f -> f.guard().growth());
            if (growth.isEmpty() || step > STEPS) {
                return found;
            }
            grow(found.get(), growth.get());
        }
    }

    /** Returns the pool as it is, without letting it grow. */
    Optional<Found> look(LvName pool) throws LvmException, IOException, InterruptedException {
        var report = groups.fresh(pool.vg());
        var volume =
                report.flatMap(r -> r.logicalVolume(pool.lv())).filter(LogicalVolume::isThinPool);
        var usage = deviceMapper.thinPool(pool);
        if (volume.isEmpty() || usage.isEmpty()) {
            return Optional.empty();
        }
        var state = PoolReader.read(report.get(), volume.get(), host.settings()).with(usage.get());
        return Optional.of(
                new Found(
                        volume.get().identity(),
                        state,
                        PoolGuard.of(state, policy(report.get(), volume.get()))));
    }

    private PoolPolicy policy(VolumeGroupReport report, LogicalVolume pool) throws IOException {
        boolean hostExtends = host.extendsPools();
        boolean made = pool.tags().contains(Names.POOL_TAG);
        return config(report, pool.name())
                .map(config -> PoolPolicy.of(config, made, hostExtends))
                .orElse(PoolPolicy.SERVED)
                .within(host.thresholdPercent());
    }

    /** A group of that name that is not ours belongs to somebody else, whatever a class says. */
    private Optional<ThinPoolConfig> config(VolumeGroupReport report, LvName pool) {
        return report.group().tags().contains(Names.VOLUME_GROUP_TAG)
                ? owner.wanted(pool)
                : Optional.empty();
    }

    private void grow(Found found, PoolGrowth growth) throws LvmException, InterruptedException {
        var state = found.state();
        var pool = found.pool();
        var lvm = groups.limitedTo(state.name().vg());
        var note =
                switch (growth) {
                    case PoolGrowth.Data(var bytes) -> {
                        lvm.pools().extend(pool, new PoolSize.Bytes(bytes));
                        yield note(state, "data", state.data(), bytes);
                    }
                    case PoolGrowth.Metadata(var bytes) -> {
                        lvm.pools().extendMetadata(pool, bytes);
                        yield note(state, "metadata", state.metadata(), bytes);
                    }
                };
        LOG.log(INFO, () -> note);
        owner.grew(state.name(), note);
    }

    private static String note(PoolState state, String what, PoolUse use, long bytes) {
        return "thin pool %s: %s was %d percent full and grew from %d to %d MiB"
                .formatted(
                        state.name(),
                        what,
                        (int) (use.used() * 100),
                        use.sizeBytes() >> 20,
                        bytes >> 20);
    }
}
