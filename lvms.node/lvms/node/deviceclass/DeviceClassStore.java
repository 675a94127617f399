package lvms.node.deviceclass;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps lvmd.yaml and the live device classes in step. The file says what a node serves, so a
 * takeover or a rollback finds it there, and the classes are read from it. One thread at a time.
 */
public final class DeviceClassStore implements SharedClasses {
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

    /** Whether those who may join have been heard. */
    private boolean heard;

    private DeviceClasses own = DeviceClasses.none();
    private Optional<UserClasses> users = Optional.empty();

    /** Keeps the classes of a node that nobody joins. */
    public DeviceClassStore(LvmdConfigFile file, LiveDeviceClasses live) {
        this(file, live, false);
    }

    /**
     * @param joined whether people's classes may join; nothing is published before they were heard
     */
    public DeviceClassStore(LvmdConfigFile file, LiveDeviceClasses live, boolean joined) {
        this.file = file;
        this.live = live;
        heard = !joined;
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

    /**
     * Adds the class or brings it up to date; returns what became of the file.
     *
     * @throws IOException also if it cannot be served
     */
    public synchronized Change put(VolumeGroupGoal goal) throws IOException {
        var refusal = refusal(goal);
        if (refusal.isPresent()) {
            throw new IOException(refusal.get());
        }
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
        return has(goal.deviceClass()) ? Change.NONE : put(goal);
    }

    /**
     * Returns, in one line, why the class cannot be served: what it says makes no sense, or
     * people's classes leave no place for it. Empty if it can.
     */
    public synchronized Optional<String> refusal(VolumeGroupGoal goal) {
        var reading = LvmdConfig.empty().with(goal).read();
        return Stream.concat(reading.problems().stream(), reading.classes().refusals().stream())
                .findFirst()
                .or(() -> clash(goal));
    }

    private Optional<String> clash(VolumeGroupGoal goal) {
        return users.flatMap(
                theirs -> theirs.clash(goal.deviceClass(), goal.volumeGroup(), goal.isDefault()));
    }

    @Override
    public synchronized boolean ownKnown() {
        return complete;
    }

    /** Returns whether a class of the LVMVolumeGroups is served. */
    public synchronized boolean servesOwn() {
        return live.known() && !own.classes().isEmpty();
    }

    @Override
    public synchronized Optional<String> join(UserClasses classes) throws IOException {
        var refusal = classes.refusal(own);
        if (refusal.isEmpty()) {
            users = Optional.of(classes);
        }
        joinNone();
        return refusal;
    }

    @Override
    public synchronized void joinNone() throws IOException {
        heard = true;
        publish(file.read().orElseGet(LvmdConfig::empty));
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
        var problems = new ArrayList<>(reading.problems());
        own = users.isPresent() ? placed(reading.classes(), problems) : reading.classes();
        tell(List.copyOf(problems));
        if (heard) {
            live.publish(users.map(theirs -> theirs.beside(own)).orElse(own));
        }
    }

    /** A person may have written a class into the file whose place is taken. */
    private DeviceClasses placed(DeviceClasses read, List<String> problems) {
        var theirs = users.orElseThrow();
        var refusal = theirs.refusal(read);
        if (refusal.isEmpty()) {
            return read;
        }
        problems.add(refusal.get());
        var placed =
                read.classes().stream()
                        .filter(
                                c ->
                                        theirs.clash(c.name(), c.volumeGroup(), c.isDefault())
                                                .isEmpty())
                        .toList();
        return new DeviceClasses(placed, read.lvcreateOptionClasses());
    }

    private void tell(List<String> problems) {
        if (problems.equals(lastProblems)) {
            return;
        }
        lastProblems = problems;
        problems.forEach(
                problem ->
                        LOG.log(
                                WARNING,
                                () ->
                                        "lvmd.yaml has what is not used as written file="
                                                + file.path()
                                                + ": "
                                                + problem));
    }
}
