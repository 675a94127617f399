package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.engine.Reply;
import lvms.lvm2.lock.GroupLocks;
import lvms.lvm2.system.DeviceNumber;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One command activates several volumes, and the kernel says which of them are active then. */
class ActivationAtOnceTests {
    private static final Identity<LvName> A = volume("a");
    private static final Identity<LvName> B = volume("b");
    private static final Identity<LvName> C = volume("c");

    @TempDir Path folder;
    private final ScriptedEngine engine = new ScriptedEngine();

    private static Identity<LvName> volume(String name) {
        return new Identity<>(new LvName("vg", name), uuid(name));
    }

    private static String uuid(String name) {
        return "000000-0000-0000-0000-0000-0000-00000" + name;
    }

    private static DeviceMapper.State device(String name, String uuid, boolean suspended) {
        return new DeviceMapper.State(
                "vg-" + name,
                "LVM-" + "g".repeat(32) + uuid.replace("-", ""),
                new DeviceNumber(254, 4),
                suspended,
                false,
                false,
                0,
                0,
                List.of(new DeviceMapper.Target(0, 64 << 20, "thin", "")));
    }

    private VolumeChanges volumes(Map<String, DeviceMapper.State> devices) {
        var commands = engine.runner(folder);
        var kernel = new KernelView(new ListedDevices(devices), true);
        var mending = new Mending(commands, kernel, ConcurrentHashMap.newKeySet());
        return new VolumeChanges(
                new MendingRunner(commands, mending, new GroupLocks(Duration.ofSeconds(30))));
    }

    @Test
    void eachIsNamedAndIdentified() throws Exception {
        var devices =
                Map.of(
                        "vg-a", device("a", uuid("a"), false),
                        "vg-b", device("b", uuid("b"), false));
        assertEquals(Set.of(A, B), volumes(devices).activateAll(List.of(A, B)));
        assertEquals(List.of("lvchange"), engine.commands());
        var words = engine.seen.getFirst().words();
        assertEquals(
                List.of(
                        "-S",
                        "lv_uuid=%s||lv_uuid=%s".formatted(A.uuid(), B.uuid()),
                        "vg/a",
                        "vg/b"),
                words.subList(words.indexOf("-S"), words.size()));
    }

    @Test
    void oneWithoutAWorkingDeviceOfItsOwnIsNotActive() throws Exception {
        engine.answer = _ -> new Reply(5, ScriptedEngine.EMPTY, "  not all\n");
        var devices =
                Map.of(
                        "vg-a", device("a", uuid("a"), false),
                        "vg-b", device("b", uuid("x"), false),
                        "vg-c", device("c", uuid("c"), true));
        assertEquals(Set.of(A), volumes(devices).activateAll(List.of(A, B, C)));
    }

    @Test
    void aCommandThatWasKilledIsNoAnswer() {
        engine.answer =
                _ -> {
                    throw new LvmException.OutcomeUnknown("killed", null);
                };
        var volumes = volumes(Map.of("vg-a", device("a", uuid("a"), false)));
        assertThrows(LvmException.OutcomeUnknown.class, () -> volumes.activateAll(List.of(A)));
    }

    @Test
    void thoseOfSeveralGroupsAreRefused() {
        var other = new Identity<>(new LvName("other", "a"), uuid("a"));
        assertThrows(
                IllegalArgumentException.class,
                () -> volumes(Map.of()).activateAll(List.of(A, other)));
        assertEquals(List.of(), engine.commands());
    }
}
