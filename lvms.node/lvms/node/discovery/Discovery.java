package lvms.node.discovery;

import lvms.api.disk.DeviceClaims;
import lvms.k8s.client.ApiException;
import lvms.node.disk.DiskUser;
import lvms.node.disk.Host;
import lvms.node.disk.Inventory;
import lvms.node.survey.DataMemory;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the devices of this node and shows them. */
public final class Discovery implements DiskUser {
    private final boolean loops;
    private final List<Publisher> publishers;
    private final Pace pace;
    private final InstantSource clock;
    private Optional<Listing> listing = Optional.empty();

    /**
     * @param loops whether loop devices are listed
     * @param excluded kernel names of devices that alone are no reason to show anything soon
     * @param publishers where the devices are shown, in this order
     */
    public Discovery(
            boolean loops,
            List<Pattern> excluded,
            List<Publisher> publishers,
            InstantSource clock) {
        this.loops = loops;
        this.publishers = List.copyOf(publishers);
        this.pace = new Pace(excluded);
        this.clock = clock;
    }

    @Override
    public Host over(Host host) {
        var seen = host;
        for (var publisher : publishers) {
            seen = publisher.over(seen);
        }
        return seen;
    }

    @Override
    public void start(Runnable wake) {
        publishers.forEach(publisher -> publisher.start(wake));
    }

    @Override
    public Optional<Duration> pass(Host machine, Inventory found, DeviceClaims claims)
            throws IOException, ApiException, InterruptedException {
        if (listing.isEmpty()) {
            listing = Optional.of(new Listing(loops, new DataMemory(machine::hasData)));
        }
        var fresh = listing.get().of(found, claims);
        var now = clock.instant();
        var shown = pace.show(fresh, now);
        for (var publisher : publishers) {
            publisher.publish(machine, shown);
        }
        return Optional.of(pace.next(fresh, now));
    }

    @Override
    public void close() {
        publishers.forEach(Publisher::close);
    }
}
