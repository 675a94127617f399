package lvms.node.discovery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/**
 * When a change is shown: at once, but of many in a row only each five seconds', and of a device
 * that the user excluded only with the next change of another one, or after a minute. One thread
 * calls.
 */
final class Pace {
    /** NativeStor looks this often, too. */
    static final Duration PERIOD = Duration.ofSeconds(60);

    /** NativeStor swallows events for this long. */
    static final Duration PAUSE = Duration.ofSeconds(5);

    private final List<Pattern> excluded;
    private List<ListedDevice> shown = List.of();
    private Instant last = Instant.MIN;

    Pace(List<Pattern> excluded) {
        this.excluded = List.copyOf(excluded);
    }

    /** Returns what is to be shown now. */
    List<ListedDevice> show(List<ListedDevice> fresh, Instant now) {
        if (!fresh.equals(shown) && !now.isBefore(due(fresh, now))) {
            shown = fresh;
            last = now;
        }
        return shown;
    }

    /** Returns how long to wait for the next look. */
    Duration next(List<ListedDevice> fresh, Instant now) {
        return fresh.equals(shown) ? PERIOD : Duration.between(now, due(fresh, now));
    }

    /** Clocks may be put back: what was shown in the future is no reason to wait. */
    private Instant due(List<ListedDevice> fresh, Instant now) {
        if (last.equals(Instant.MIN) || now.isBefore(last)) {
            return now;
        }
        return last.plus(counting(fresh).equals(counting(shown)) ? PERIOD : PAUSE);
    }

    private List<ListedDevice> counting(List<ListedDevice> devices) {
        return devices.stream().filter(listed -> !isExcluded(listed.kernelName())).toList();
    }

    private boolean isExcluded(String kernelName) {
        return excluded.stream().anyMatch(pattern -> pattern.matcher(kernelName).find());
    }
}
