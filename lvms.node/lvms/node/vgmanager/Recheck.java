package lvms.node.vgmanager;

import lvms.api.EffectiveDiscovery;
import lvms.api.RaidHealth;
import lvms.node.vgmanager.plan.Situation;

import java.time.Duration;

/** How long after a pass the next one runs, unless an event asks for one earlier. */
final class Recheck {
    /** How often a blocked group is looked at: no event says when the obstacle is gone. */
    static final Duration BLOCKED = Duration.ofSeconds(30);

    /** How often to look for blank disks that raised no event; LVM is asked if a group changed. */
    private static final Duration DYNAMIC = Duration.ofSeconds(30);

    /** How often to read the health of RAID volumes that are synchronizing, or raise no events. */
    private static final Duration RAID = Duration.ofSeconds(60);

    private static final Duration RESYNC = Duration.ofMinutes(10);

    private Recheck() {}

    static Duration ofBlocked(Situation s) {
        return s.goal().raid().isPresent() ? RAID : BLOCKED;
    }

    /**
     * @param raidEvents whether RAID volumes raise events
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
