package lvms.node.deviceclass;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.util.List;

/**
 * Keeps lvmd.yaml and the live device classes in step. The file says what a node serves, so a
 * takeover or a rollback finds it there, and the classes are read from it. One thread at a time.
 */
public final class DeviceClassStore {
    private static final System.Logger LOG = System.getLogger(DeviceClassStore.class.getName());

    /** What a call did to lvmd.yaml. */
    public enum Change {
        NONE,
        CREATED,
        UPDATED,
        DELETED
    }

    private final LvmdConfigFile file;
    private final LiveDeviceClasses live;
    private List<String> lastProblems = List.of();

    /** Whether the file lists all classes of this node, as far as anybody can know. */
    private boolean complete;

    public DeviceClassStore(LvmdConfigFile file, LiveDeviceClasses live) {
        this.file = file;
        this.live = live;
    }

    /**
     * Publishes what the file says, so that volumes are served before the first pass is over. If
     * the file is missing, nothing is published before {@link #complete}.
     */
    public synchronized void load() throws IOException {
        var present = file.read();
        complete = present.isPresent();
        present.ifPresent(this::publish);
    }

    /** Publishes what the file says: by now each group has added its class if it can. */
    public synchronized void complete() throws IOException {
        if (!complete) {
            var present = file.read();
            complete = true;
            publish(present.orElseGet(LvmdConfig::empty));
        }
    }

    /** Adds the class or brings it up to date; returns what became of the file. */
    public synchronized Change put(VolumeGroupGoal goal) throws IOException {
        var before = file.read();
        var after = before.orElseGet(LvmdConfig::empty).with(goal);
        boolean changed = before.filter(after::equals).isEmpty();
        if (changed) {
            file.write(after);
        }
        publish(after);
        if (!changed) {
            return Change.NONE;
        }
        return before.isEmpty() ? Change.CREATED : Change.UPDATED;
    }

    /** Adds the class if the file does not have it, as after the loss of the file. */
    public synchronized Change restore(VolumeGroupGoal goal) throws IOException {
        return has(goal.name()) ? Change.NONE : put(goal);
    }

    /** Returns whether the file has the class. */
    public synchronized boolean has(String deviceClass) throws IOException {
        return file.read().filter(config -> config.has(deviceClass)).isPresent();
    }

    /** Removes the class, and the file with the last class. */
    public synchronized Change remove(String deviceClass) throws IOException {
        var before = file.read();
        if (before.isEmpty()) {
            publish(LvmdConfig.empty());
            return Change.NONE;
        }
        var after = before.get().without(deviceClass);
        publish(after);
        if (!after.hasClasses()) {
            file.delete();
            return Change.DELETED;
        }
        if (after.equals(before.get())) {
            return Change.NONE;
        }
        file.write(after);
        return Change.UPDATED;
    }

    private void publish(LvmdConfig config) {
        if (!complete) {
            return;
        }
        var reading = config.read();
        if (!reading.problems().equals(lastProblems)) {
            lastProblems = reading.problems();
            lastProblems.forEach(
                    problem ->
                            LOG.log(
                                    WARNING,
                                    () ->
                                            "lvmd.yaml entry ignored file="
                                                    + file.path()
                                                    + ": "
                                                    + problem));
        }
        live.publish(reading.classes());
    }
}
