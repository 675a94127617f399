package lvms.node.erasure;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Names;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvmException;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Goes on with what an earlier process left in quarantine, and with what failed. It looks when the
 * device classes change, and then every minute for as long as something is in quarantine.
 */
public final class QuarantineWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(QuarantineWatch.class.getName());
    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final LiveDeviceClasses classes;
    private final Groups groups;
    private final Quarantine quarantine;
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;

    public QuarantineWatch(LiveDeviceClasses classes, Groups groups, Erasures erasures) {
        this.classes = classes;
        this.groups = groups;
        this.quarantine = new Quarantine(groups, erasures);
        this.thread = Thread.ofVirtual().name("quarantine").unstarted(this::run);
        erasures.onEnd(_ -> wake.release());
    }

    public void start() {
        classes.onChange(wake::release);
        thread.start();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                wake.drainPermits();
                if (lookAtAll()) {
                    boolean _ = wake.tryAcquire(PERIOD.toMillis(), TimeUnit.MILLISECONDS);
                } else {
                    wake.acquire();
                }
            }
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "quarantine watch ended"); // by close()
        }
    }

    /** Returns whether to look again without being told. */
    private boolean lookAtAll() throws InterruptedException {
        boolean again = false;
        for (var group : rates().entrySet()) {
            try {
                again |= quarantine.resume(group.getKey(), group.getValue());
                endUnneeded(group.getKey());
            } catch (LvmException e) {
                again = true;
                LOG.log(
                        WARNING,
                        () ->
                                "cannot look for volumes to erase, will retry vg="
                                        + group.getKey()
                                        + ": "
                                        + e.getMessage());
            }
        }
        return again;
    }

    private Map<String, Long> rates() {
        var rates = new HashMap<String, Long>();
        for (NodeDeviceClass deviceClass : classes.current().classes()) {
            rates.merge(deviceClass.volumeGroup(), deviceClass.erasure().rateBytes(), Math::min);
        }
        return rates;
    }

    /** Extents for the growth of a volume that is gone, or for copying to it, are free again. */
    private void endUnneeded(String vg) throws LvmException, InterruptedException {
        var volumes = groups.limitedTo(vg).volumes().all(vg);
        var names =
                volumes.stream()
                        .map(volume -> Marks.growth(volume.identity()).lv())
                        .collect(Collectors.toSet());
        var present =
                volumes.stream()
                        .map(volume -> Marks.finished(volume.name()).lv())
                        .collect(Collectors.toSet());
        var finished =
                volumes.stream()
                        .filter(volume -> !Marks.isUnfinished(volume))
                        .map(volume -> volume.name().lv())
                        .collect(Collectors.toSet());
        for (LogicalVolume volume : volumes) {
            if (Marks.isGrowth(volume) && !names.contains(volume.name().lv())) {
                groups.limitedTo(vg).volumes().remove(volume.identity());
            }
            if (Marks.isHeldStill(volume) && !present.contains(Marks.filledFrom(volume))) {
                groups.limitedTo(vg).volumes().remove(volume.identity());
            }
            if (isOvertaken(volume, finished)) {
                LOG.log(
                        INFO,
                        () -> "an older agent made it anew, this one goes lv=" + volume.name());
                groups.limitedTo(vg).volumes().remove(volume.identity());
            }
        }
    }

    /** Nobody was ever given an unfinished volume, and somebody has made a whole one since. */
    private static boolean isOvertaken(LogicalVolume volume, Set<String> finished) {
        return Marks.isUnfinished(volume)
                && volume.tags().contains(Names.VOLUME_GROUP_TAG)
                && finished.contains(Marks.finished(volume.name()).lv());
    }
}
