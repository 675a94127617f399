package lvms.node.vgmanager;

import lvms.api.EffectiveDiscovery;
import lvms.api.RaidHealth;
import lvms.node.vgmanager.plan.Situation;

import java.time.Duration;

/** How long after a pass the next one looks again, if no event asks for one before. */
final class Recheck {
    /**
     * How often a blocked group is looked at: what blocks it, such as a used disk, may end
     * silently.
     */
    private static final Duration BLOCKED = Duration.ofSeconds(30);

    /** How often blank disks are looked for that raised no event; reads devices, not LVM. */
    private static final Duration DYNAMIC = Duration.ofSeconds(30);

    /** How often the health of RAID volumes is read that change, or do not tell when they do. */
    private static final Duration RAID = Duration.ofSeconds(60);

    private static final Duration RESYNC = Duration.ofMinutes(10);

    private Recheck() {}

    static Duration ofBlocked(Situation s) {
        return s.goal().raid().isPresent() ? RAID : BLOCKED;
    }

    /**
     * @param raidEvents whether RAID volumes tell when something happens to them
     */
    static Duration ofReady(Situation s, boolean raidEvents) {
        if (s.goal().raid().isPresent()) {
            return raidEvents && quiet(s) ? RESYNC : RAID;
        }
        return s.goal().discovery() == EffectiveDiscovery.RUNTIME_DYNAMIC ? DYNAMIC : RESYNC;
    }

    private static boolean quiet(Situation s) {
        return StatusEntry.raid(s)
                .filter(raid -> raid.health() == RaidHealth.HEALTHY && !raid.syncing())
                .isPresent();
    }
}
