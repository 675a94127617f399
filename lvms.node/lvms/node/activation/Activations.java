package lvms.node.activation;

import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LogicalVolumes;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.node.erasure.Groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Activates volumes. After a boot kubelet asks for all volumes of a node at once, and a command for
 * many takes hardly longer than one for one of them. So whoever comes while LVM is at work on a
 * group shares the next command. Any thread may call.
 */
public final class Activations {
    /** What else waits for the group must not wait long; and LVM takes 63 words. */
    private static final int MOST = 32;

    /** As long as a change of a group may keep others waiting, which then give up. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Groups groups;
    private final Duration patience;
    private final Map<String, Line> lines = new ConcurrentHashMap<>();

    public Activations(Groups groups) {
        this(groups, PATIENCE);
    }

    /**
     * @param patience how long a single command may last for those who wait
     */
    Activations(Groups groups, Duration patience) {
        this.groups = groups;
        this.patience = patience;
    }

    /** A caller's wish; whoever has the turn fulfils it. */
    private static final class Wish {
        private final LvName name;
        private boolean over;
        private Optional<LvmException> failure = Optional.empty();

        Wish(LvName name) {
            this.name = name;
        }

        void granted() {
            over = true;
        }

        void failed(LvmException why) {
            over = true;
            failure = Optional.of(why);
        }
    }

    /** The callers for one group. What is in a wish belongs to the thread that has the turn. */
    private static final class Line {
        private final ReentrantLock turn = new ReentrantLock();
        private final List<Wish> waiting = new ArrayList<>(); // guarded by itself
        private volatile long commandSince = System.nanoTime();

        void takeTurn(Duration patience) throws LvmException, InterruptedException {
            long wait = patience.toNanos();
            while (!turn.tryLock(wait, TimeUnit.NANOSECONDS)) {
                long lasts = System.nanoTime() - commandSince;
                wait = patience.toNanos() - lasts;
                if (wait <= 0) {
                    throw new LvmException.LockBusy(
                            "an activation has gone on for %d s; is a device suspended, or slow?"
                                    .formatted(TimeUnit.NANOSECONDS.toSeconds(lasts)));
                }
            }
        }

        void add(Wish wish) {
            synchronized (waiting) {
                waiting.add(wish);
            }
        }

        List<Wish> first() {
            synchronized (waiting) {
                return waiting.stream().filter(wish -> !wish.over).limit(MOST).toList();
            }
        }

        void remove(Wish wish) {
            synchronized (waiting) {
                waiting.remove(wish);
            }
        }
    }

    /**
     * Activates a volume; the kernel shows whether it has a device then.
     *
     * @throws LvmException.NotFound if the group has no such volume
     * @throws LvmException.LockBusy if another one has kept LVM busy for very long
     */
    public void activate(LvName name) throws LvmException, InterruptedException {
        var line = lines.computeIfAbsent(name.vg(), _ -> new Line());
        var wish = new Wish(name);
        line.add(wish);
        try {
            line.takeTurn(patience);
            try {
                while (!wish.over) {
                    grant(name.vg(), line);
                }
            } finally {
                line.turn.unlock();
            }
        } finally {
            line.remove(wish);
        }
        if (wish.failure.isPresent()) {
            throw wish.failure.get();
        }
    }

    private void grant(String vg, Line line) throws InterruptedException {
        var wishes = line.first();
        line.commandSince = System.nanoTime();
        try {
            var volumes = groups.limitedTo(vg).volumes();
            if (wishes.size() > 1) {
                together(vg, volumes, wishes);
            }
            for (var wish : wishes) {
                if (!wish.over) {
                    line.commandSince = System.nanoTime();
                    alone(volumes, wish);
                }
            }
        } catch (LvmException e) {
            // no volume of the group could be activated now
            wishes.stream().filter(wish -> !wish.over).forEach(wish -> wish.failed(e));
        }
    }

    /** What is not active afterwards is left to a command of its own, which says why. */
    private void together(String vg, LogicalVolumes volumes, List<Wish> wishes)
            throws LvmException, InterruptedException {
        var known = new LinkedHashMap<Identity<LvName>, Wish>();
        var report = groups.report(vg);
        for (var wish : wishes) {
            report.flatMap(r -> r.logicalVolume(wish.name.lv()))
                    .map(LogicalVolume::identity)
                    .ifPresent(volume -> known.put(volume, wish));
        }
        volumes.activateAll(known.keySet()).forEach(active -> known.get(active).granted());
    }

    private static void alone(LogicalVolumes volumes, Wish wish)
            throws LvmException, InterruptedException {
        try {
            var volume = volumes.identify(wish.name);
            if (volume.isEmpty()) {
                throw new LvmException.NotFound(wish.name + " is missing");
            }
            volumes.activate(volume.get());
            wish.granted();
        } catch (LvmException e) {
            if (e.passing()) {
                throw e; // so it is with the others, and each would wait for it
            }
            wish.failed(e);
        }
    }
}
