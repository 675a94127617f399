package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvName;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.ThinPoolUsage;
import lvms.lvm2.filesystem.FileLock;
import lvms.lvm2.system.DeviceNumber;
import lvms.tests.runner.LinuxOnly;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** I/O that a dead change left waiting goes on without LVM, and with the tables in force. */
@LinuxOnly
@Safety(47)
@Timeout(60)
class ResumptionTests {
    private static final Duration NO_PATIENCE = Duration.ZERO;
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir Path locks;
    private final Devices devices = new Devices();

    /** Devices of a kernel; what was done to them is kept in order. */
    private static final class Devices implements DeviceMapper {
        private final Map<String, State> states = new LinkedHashMap<>();
        private final List<String> acts = new ArrayList<>();
        private Runnable beforeList = () -> {};

        /** A device with a table in force. */
        void add(String name, boolean suspended, boolean loaded) {
            var layer = Pattern.compile("-(cow|real|tpool)$").matcher(name);
            var uuid =
                    "LVM-"
                            + "v".repeat(32)
                            + "%032d".formatted(states.size())
                            + (layer.find() ? layer.group() : "");
            var target = new Target(0, 4096, "linear", "");
            states.put(
                    name,
                    new State(
                            name,
                            uuid,
                            new DeviceNumber(253, states.size()),
                            suspended,
                            loaded,
                            false,
                            1,
                            0,
                            List.of(target)));
        }

        private void change(State device, boolean suspended, boolean loaded) {
            assertEquals(device.uuid(), states.get(device.name()).uuid());
            states.put(
                    device.name(),
                    new State(
                            device.name(),
                            device.uuid(),
                            device.number(),
                            suspended,
                            loaded,
                            false,
                            1,
                            0,
                            device.targets()));
        }

        @Override
        public void clear(State device) {
            acts.add("clear " + device.name());
            change(device, device.suspended(), false);
        }

        @Override
        public void resume(State device) throws IOException {
            if (states.get(device.name()).inactiveTable()) {
                throw new IOException("the loaded table would come into force");
            }
            acts.add("resume " + device.name());
            change(device, false, false);
        }

        @Override
        public boolean available() {
            return true;
        }

        @Override
        public List<Device> list() {
            beforeList.run();
            return states.values().stream().map(s -> new Device(s.name(), s.number())).toList();
        }

        @Override
        public Optional<State> state(String name) {
            return Optional.ofNullable(states.get(name));
        }

        @Override
        public Optional<ThinPoolUsage> thinPool(LvName pool) {
            return Optional.empty();
        }

        @Override
        public List<String> suspended() {
            return states.values().stream().filter(State::suspended).map(State::name).toList();
        }
    }

    private Resumption resumption(Duration patience) {
        return new Resumption(
                new CutChanges(locks), new SuspendedDevices(devices, locks), patience);
    }

    private CutChanges.Running change(String... words) throws Exception {
        return new CutChanges(locks).begin(List.of(words));
    }

    private Set<LvName> toBeRefreshed() {
        return new CutChanges(locks).resumed(_ -> true);
    }

    @Test
    void whatACutChangeSuspendedGoesOnFromBelowAndWithoutLoadedTables() throws Exception {
        devices.add("vg-data", true, true);
        devices.add("vg-data-real", true, false);
        devices.add("vg-snap", true, false);
        devices.add("vg-snap-cow", true, true);
        devices.add("vg-idle", false, false);
        devices.add("other-data", true, false);
        change("lvextend", "vg/snap").close();
        resumption(LONG).afterAll();
        assertEquals(
                List.of(
                        "clear vg-snap-cow",
                        "resume vg-data-real",
                        "resume vg-snap-cow",
                        "clear vg-data",
                        "resume vg-data",
                        "resume vg-snap"),
                devices.acts);
        assertEquals(List.of("other-data"), devices.suspended());
        assertEquals(Set.of(new LvName("vg", "data"), new LvName("vg", "snap")), toBeRefreshed());
    }

    @Test
    void whatNoChangeOfOursSuspendedStaysSuspended() throws Exception {
        devices.add("vg-data", true, false);
        change("lvextend", "vg2/data").close();
        change("thin_check", "vg/pool").close();
        try (var running = change("lvextend", "vg/data")) {
            resumption(LONG).afterAll();
            assertEquals(List.of("vg-data"), devices.suspended(), "its process lives");
            running.ended();
        }
        resumption(LONG).afterAll();
        assertEquals(List.of("vg-data"), devices.suspended());
        assertEquals(Set.of(), toBeRefreshed());
    }

    /** An orphaned LVM process may be in the middle of its change. */
    @Test
    void whileLvmsLockIsHeldOnlyWhatWeHeldOurselvesGoesOn() throws Exception {
        devices.add("vg-held", true, false);
        devices.add("vg-changing", true, true);
        devices.add("vg-lvms", true, false);
        change("suspend", "vg/held", "vg/changing").close();
        try (var _ = FileLock.tryLock(locks.resolve("V_vg")).orElseThrow()) {
            resumption(NO_PATIENCE).afterAll();
            assertEquals(List.of("resume vg-held"), devices.acts);
        }
        resumption(LONG).afterAll();
        assertEquals(List.of(), devices.suspended());
    }

    @Test
    void theLockIsWaitedFor() throws Exception {
        devices.add("vg-data", true, false);
        change("lvextend", "vg/data").close();
        var lock = FileLock.tryLock(locks.resolve("V_vg")).orElseThrow();
        var looks = new ArrayList<String>();
        devices.beforeList =
                () -> {
                    looks.add("look");
                    if (looks.size() == 20) {
                        lock.close();
                    }
                };
        resumption(LONG).afterAll();
        assertEquals(List.of(), devices.suspended());
        assertTrue(looks.size() > 20, looks.toString());
    }

    /** The agent lives, but does not end what it holds. */
    @Test
    void aHoldThatLastsTooLongIsEndedAlthoughItsProcessLives() throws Exception {
        devices.add("vg-data", true, false);
        try (var running = change("suspend", "vg/data")) {
            try (var files = Files.newDirectoryStream(locks, "lvms-change-*")) {
                resumption(LONG).after(files.iterator().next());
            }
            assertEquals(List.of(), devices.suspended());
            running.ended();
        }
    }

    @Test
    void aChangeThatHasEndedIsNoReasonToResumeAnything() throws Exception {
        devices.add("vg-data", true, false);
        resumption(LONG).after(locks.resolve("lvms-change-gone"));
        assertEquals(List.of("vg-data"), devices.suspended());
        assertFalse(Files.exists(locks.resolve("lvms-change-gone")));
    }
}
