package lvms.node.vgmanager;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Keeps lvmd.yaml and the live device classes in step: the file holds what a node serves, so a
 * takeover or a rollback finds it, and it is what the classes are read from. One thread at a time.
 */
final class DeviceClassStore {
    private static final System.Logger LOG = System.getLogger(DeviceClassStore.class.getName());

    private final LvmdConfigFile file;
    private final LiveDeviceClasses live;
    private List<String> lastProblems = List.of();

    /** Whether the file names all that this node serves, as far as anybody can know. */
    private boolean complete;

    DeviceClassStore(LvmdConfigFile file, LiveDeviceClasses live) {
        this.file = file;
        this.live = live;
    }

    /**
     * Publishes what the file says, so that volumes are served before the first pass is over. A
     * file that is missing says nothing: nothing is published before {@link #complete}.
     */
    synchronized void load() throws IOException {
        var present = file.read();
        complete = present.isPresent();
        present.ifPresent(this::publish);
    }

    /** Publishes what the file says, since each group has added its class if it can. */
    synchronized void complete() throws IOException {
        if (!complete) {
            var present = file.read();
            complete = true;
            publish(present.orElseGet(LvmdConfig::empty));
        }
    }

    /** Adds the class or brings it up to date; returns the event to tell, if the file changed. */
    synchronized Optional<EventReason> put(VolumeGroupGoal goal) throws IOException {
        var before = file.read();
        var after = before.orElseGet(LvmdConfig::empty).with(goal);
        boolean changed = before.filter(after::equals).isEmpty();
        if (changed) {
            file.write(after);
        }
        publish(after);
        return changed
                ? Optional.of(
                        before.isEmpty() ? EventReason.CONFIG_MISSING : EventReason.CONFIG_UPDATED)
                : Optional.empty();
    }

    /** Takes the class out, and the file away with the last one. */
    synchronized Optional<EventReason> remove(String deviceClass) throws IOException {
        var before = file.read();
        if (before.isEmpty()) {
            publish(LvmdConfig.empty());
            return Optional.empty();
        }
        var after = before.get().without(deviceClass);
        publish(after);
        if (!after.hasClasses()) {
            file.delete();
            return Optional.of(EventReason.CONFIG_DELETED);
        }
        if (after.equals(before.get())) {
            return Optional.empty();
        }
        file.write(after);
        return Optional.of(EventReason.CONFIG_UPDATED);
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
                                            "entry of lvmd.yaml left out file="
                                                    + file.path()
                                                    + ": "
                                                    + problem));
        }
        live.publish(reading.classes());
    }
}
