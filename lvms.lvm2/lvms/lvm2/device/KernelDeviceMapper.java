package lvms.lvm2.device;

import lvms.lvm2.Grammar;
import lvms.lvm2.LvName;
import lvms.lvm2.ffi.DmControl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The kernel's device-mapper. A pool whose metadata device hangs answers no question about its
 * state, nor do its volumes; so there is one question at a time for each volume group.
 */
final class KernelDeviceMapper implements DeviceMapper {
    private static final Path PROC_DEVICES = Path.of("/proc/devices");
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    static final KernelDeviceMapper INSTANCE = new KernelDeviceMapper();

    private final Questions states = new Questions(PATIENCE);

    /** Questions that no target has to answer. */
    private final Questions tables = new Questions(PATIENCE);

    private final Questions changes = new Questions(PATIENCE);

    /** A kernel that had it once is not asked again: if it is unloaded, questions fail. */
    private volatile boolean seen;

    private KernelDeviceMapper() {}

    private interface Question<T> {
        T ask(DmControl control) throws IOException;
    }

    @Override
    public boolean available() throws IOException {
        if (!seen) {
            seen =
                    Files.readString(PROC_DEVICES)
                            .lines()
                            .anyMatch(line -> line.endsWith(" device-mapper"));
        }
        return seen;
    }

    @Override
    public List<Device> list() throws IOException, InterruptedException {
        return available()
                ? ask(tables, "its devices", DmControl::list).stream()
                        .map(told -> new Device(told.name(), told.number()))
                        .toList()
                : List.of();
    }

    @Override
    public Optional<State> state(String name) throws IOException, InterruptedException {
        return available()
                ? ask(states, group(name), control -> control.status(name))
                        .map(KernelDeviceMapper::state)
                : Optional.empty();
    }

    @Override
    public Optional<State> outline(String name) throws IOException, InterruptedException {
        return available()
                ? ask(tables, group(name), control -> control.table(name))
                        .map(KernelDeviceMapper::state)
                : Optional.empty();
    }

    @Override
    public void clear(State device) throws IOException, InterruptedException {
        change(device, control -> control.clearByUuid(device.uuid()));
    }

    @Override
    public void resume(State device) throws IOException, InterruptedException {
        change(device, control -> control.resumeByUuid(device.uuid()));
    }

    private interface Change {
        void make(DmControl control) throws IOException;
    }

    private void change(State device, Change change) throws IOException, InterruptedException {
        boolean _ =
                ask(
                        changes,
                        group(device.name()),
                        control -> {
                            change.make(control);
                            return true;
                        });
    }

    private static <T> T ask(Questions questions, String subject, Question<T> question)
            throws IOException, InterruptedException {
        return questions.ask(
                subject,
                () -> {
                    try (var control = DmControl.open()) {
                        return question.ask(control);
                    }
                });
    }

    /** The part before the first hyphen that is not doubled: the volume group, if it is LVM's. */
    static String group(String device) {
        var parts = device.replace("--", "\0").split("-", 2);
        return parts[0].replace('\0', '-');
    }

    private static State state(DmControl.State told) {
        return new State(
                told.name(),
                told.uuid(),
                told.number(),
                told.suspended(),
                told.inactiveTable(),
                told.readOnly(),
                told.openCount(),
                told.eventNumber(),
                told.targets().stream().map(KernelDeviceMapper::target).toList());
    }

    private static Target target(DmControl.Target told) {
        return new Target(told.startBytes(), told.sizeBytes(), told.type(), told.status());
    }

    /** A pool with thin volumes has a layer of its own, behind the device with its name. */
    @Override
    public Optional<ThinPoolUsage> thinPool(LvName pool) throws IOException, InterruptedException {
        var name = Grammar.deviceMapperName(pool);
        var layered = usage(state(name + "-tpool"));
        return layered.isPresent() ? layered : usage(state(name));
    }

    @Override
    public List<String> suspended() throws IOException, InterruptedException {
        var names = new ArrayList<String>();
        for (var device : list()) {
            if (outline(device.name()).filter(State::suspended).isPresent()) {
                names.add(device.name());
            }
        }
        return List.copyOf(names);
    }

    private static Optional<ThinPoolUsage> usage(Optional<State> state) throws IOException {
        var status =
                state.flatMap(s -> s.targets().stream().findFirst())
                        .filter(target -> target.type().equals("thin-pool"))
                        .map(Target::status);
        try {
            return status.map(ThinPoolUsage::parse);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
