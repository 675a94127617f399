package lvms.node.vgmanager.plan;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Remembers since when physical volumes have been missing, to tell a device that is late, as after
 * a boot, from a lost one. A new process starts counting again. Not thread-safe.
 */
public final class MissingDevices {
    /** How long a device may be missing before its data is copied elsewhere. */
    static final Duration GRACE = Duration.ofMinutes(5);

    private final InstantSource clock;
    private final Map<String, Instant> since = new HashMap<>();

    public MissingDevices(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Returns the UUIDs of missing physical volumes of the group that may be given up.
     *
     * @param replaced whether the group has just got another device
     */
    public Set<String> givenUp(Situation s, boolean replaced) {
        var missing = uuids(s, true);
        since.keySet().removeAll(uuids(s, false));
        var now = clock.instant();
        missing.forEach(uuid -> since.putIfAbsent(uuid, now));
        return missing.stream()
                .filter(uuid -> replaced || !since.get(uuid).plus(GRACE).isAfter(now))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Set<String> uuids(Situation s, boolean missing) {
        return s.members().stream()
                .filter(pv -> pv.pv().missing() == missing)
                .map(pv -> pv.pv().uuid())
                .collect(Collectors.toUnmodifiableSet());
    }
}
