package lvms.node.lvmd;

import static io.grpc.Status.Code.DEADLINE_EXCEEDED;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INTERNAL;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OUT_OF_RANGE;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static io.grpc.Status.Code.UNIMPLEMENTED;
import static io.grpc.Status.Code.UNKNOWN;

import static lvms.node.GuestShell.sh;
import static lvms.node.lvmd.LvmdClient.refused;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.StatusRuntimeException;

import lvms.proto.health.v1.HealthCheckResponse.ServingStatus;
import lvms.proto.lvmd.CreateLVRequest;
import lvms.proto.lvmd.LogicalVolume;
import lvms.proto.lvmd.WatchItem;
import lvms.proto.lvmd.WatchResponse;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** The process {@code lvms lvmd} makes, copies, grows and removes real volumes for its clients. */
class LvmdGuest {
    private static final long MIB = 1L << 20;
    private static final Path SOCKET = Path.of("/run/lvmd-test/lvmd.sock");
    private static final String CLASSES =
            """
            - name: thick
              volume-group: lab
              default: true
              spare-gb: 0
            - name: thin
              volume-group: lab
              type: thin
              thin-pool:
                name: pool
                overprovision-ratio: 2
            - name: other
              volume-group: lab
              type: thin
              thin-pool:
                name: other
                overprovision-ratio: 2
            """;

    private static final String OPTIONS =
            """
            lvcreate-option-classes:
            - name: mirror
              options: ["--type=raid1", "-m", "1", "--nosync"]
            """;

    private static Path config;
    private static Path log;
    private static Process lvmd;
    private static LvmdClient client;

    @BeforeAll
    static void start() throws Exception {
        sh("vgcreate -q -y lab /dev/ubdb /dev/ubdc");
        sh("lvcreate -q -y -T -L 128M lab/pool && lvcreate -q -y -T -L 64M lab/other");
        config = Files.createTempDirectory("lvmd").resolve("lvmd.yaml");
        log = config.resolveSibling("log");
        write(SOCKET, CLASSES);
        lvmd = process("lvmd", "--config=" + config, "--metrics-bind-address=0");
        client = new LvmdClient(SOCKET);
        awaitLog("lvmd serves", 1);
    }

    @AfterAll
    static void end() throws Exception {
        client.close();
        lvmd.destroyForcibly().waitFor();
        sh("vgremove -q -y -f lab");
    }

    /** Each case leaves nothing behind. */
    @AfterEach
    void nothingIsLeft() throws Exception {
        assertEquals("other\npool", sh("lvs --noheadings -o lv_name lab | tr -d ' ' | sort"));
    }

    private static void write(Path socket, String classes) throws IOException {
        var text = "socket-name: " + socket + "\ndevice-classes:\n" + classes + OPTIONS;
        Files.writeString(config, text);
    }

    private static Process process(String... arguments) throws IOException {
        var command = LabJvm.heap(64).command("lvms.launcher.Main", arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** Waits until the log has as many lines with this text. */
    private static void awaitLog(String text, int lines) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (lines(text) < lines) {
            assertTrue(System.nanoTime() < end, Files.readString(log));
            assertTrue(lvmd.isAlive(), Files.readString(log));
            Thread.sleep(50);
        }
    }

    private static long lines(String text) throws IOException {
        return Files.readString(log).lines().filter(line -> line.contains(text)).count();
    }

    private static String uid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes()).toString();
    }

    private static WatchItem item(WatchResponse state, String deviceClass) {
        return state.getItemsList().stream()
                .filter(item -> item.getDeviceClass().equals(deviceClass))
                .findFirst()
                .orElseThrow();
    }

    private static long promised(WatchResponse state) {
        return item(state, "thin").getThinPool().getOverprovisionBytes();
    }

    @Test
    void aThickVolumeLivesItsLife() throws Exception {
        var name = uid("thick");
        var made = client.create("", name, 5 * MIB, "mine");
        assertEquals(8 * MIB, made.getSizeBytes());
        assertEquals(8 * MIB, Long.parseLong(sh("blockdev --getsize64 /dev/lab/" + name)));
        var number = sh("stat -L -c %Hr:%Lr /dev/lab/" + name);
        assertEquals(number, made.getDevMajor() + ":" + made.getDevMinor());
        assertEquals(16 * MIB, client.resize("thick", name, 16 * MIB));
        assertEquals(16 * MIB, Long.parseLong(sh("blockdev --getsize64 /dev/lab/" + name)));
        assertEquals(16 * MIB, client.resize("thick", name, 4 * MIB));
        assertEquals(List.of("mine"), client.list("").getFirst().getTagsList());
        assertEquals("-wi-a-----", client.list("").getFirst().getAttr());
        client.remove("thick", name);
    }

    @Test
    void aThinVolumeIsCopiedAndEachOutlivesTheOther() throws Exception {
        var name = uid("thin");
        assertEquals(16 * MIB, client.create("thin", name, 16 * MIB).getSizeBytes());
        sh("echo content | dd of=/dev/lab/" + name + " conv=fsync status=none");
        var snapshot = client.snapshot("thin", uid("snap"), name, "ro", 0);
        assertEquals(16 * MIB, snapshot.getSizeBytes());
        var restored = client.snapshot("thin", uid("restore"), snapshot.getName(), "rw", 32 * MIB);
        assertEquals(32 * MIB, restored.getSizeBytes());
        assertEquals("1", sh("blockdev --getro /dev/lab/" + snapshot.getName()));
        assertEquals("0", sh("blockdev --getro /dev/lab/" + restored.getName()));
        client.remove("thin", name);
        client.remove("thin", snapshot.getName());
        assertEquals("content", sh("head -c 7 /dev/lab/" + restored.getName()));
        assertEquals(
                "Vwi-a-tz--",
                client.list("thin").stream().map(LogicalVolume::getAttr).findFirst().orElseThrow());
        client.remove("thin", restored.getName());
        assertEquals(List.of(), client.names("thin"));
    }

    @Test
    void watchersSeeEveryChange() throws Exception {
        var watch = client.watch();
        var first = watch.await(_ -> true);
        long before = promised(first);
        assertEquals(256 * MIB, before, "128 MiB, twice");
        assertEquals(128 * MIB, item(first, "thin").getThinPool().getSizeBytes());
        var name = uid("watched");
        client.create("thin", name, 16 * MIB);
        watch.await(state -> promised(state) == before - 16 * MIB);
        client.resize("thin", name, 24 * MIB);
        watch.await(state -> promised(state) == before - 24 * MIB);
        sh("dd if=/dev/urandom of=/dev/lab/" + name + " bs=1M count=8 conv=fsync status=none");
        var copy = client.snapshot("thin", uid("copy"), name, "ro", 0).getName();
        var full = watch.await(state -> promised(state) == before - 48 * MIB);
        assertEquals(6.25, item(full, "thin").getThinPool().getDataPercent(), 0.2);
        client.remove("thin", copy);
        client.remove("thin", name);
        watch.await(state -> promised(state) == before);
        assertEquals(
                full.getFreeBytes(), item(full, "thick").getFreeBytes(), "that of the default");
    }

    @Test
    void overprovisioningEndsAtTheRatio() {
        var name = uid("large");
        assertEquals(256 * MIB, client.create("thin", name, 256 * MIB).getSizeBytes());
        var why = refused(RESOURCE_EXHAUSTED, () -> client.create("thin", uid("more"), 4 * MIB));
        assertTrue(why.contains("free=0"), why);
        refused(RESOURCE_EXHAUSTED, () -> client.resize("thin", name, 260 * MIB));
        refused(RESOURCE_EXHAUSTED, () -> client.snapshot("thin", uid("c"), name, "ro", 0));
        client.remove("thin", name);
    }

    @Test
    void copiesAreRefusedWithTopolvmsCodes() {
        var thick = client.create("thick", uid("t"), 4 * MIB).getName();
        var thin = client.create("thin", uid("v"), 8 * MIB).getName();
        var copy = uid("copy");
        refused(UNIMPLEMENTED, () -> client.snapshot("thick", copy, thick, "ro", 0));
        refused(UNIMPLEMENTED, () -> client.snapshot("thin", copy, thick, "ro", 0));
        refused(NOT_FOUND, () -> client.snapshot("none", copy, thin, "ro", 0));
        refused(NOT_FOUND, () -> client.snapshot("thin", copy, "nothing", "ro", 0));
        refused(OUT_OF_RANGE, () -> client.snapshot("thin", copy, thin, "ro", 4 * MIB));
        refused(INVALID_ARGUMENT, () -> client.snapshot("other", copy, thin, "ro", 0));
        refused(INTERNAL, () -> client.snapshot("thin", copy, thin, "", 0));
        refused(INTERNAL, () -> client.snapshot("thin", thick, thin, "ro", 0));
        assertEquals(List.of(thin), client.names("thin"));
        client.remove("thick", thick);
        client.remove("thin", thin);
    }

    /** TopoLVM leaves it, and its node later takes it for a finished volume. */
    @Test
    void aCopyThatCannotBeGrownIsRemovedAgain() {
        var thin = client.create("thin", uid("source"), 8 * MIB).getName();
        refused(INTERNAL, () -> client.snapshot("thin", uid("bad"), thin, "ro", 16 * MIB + 1));
        assertEquals(List.of(thin), client.names("thin"));
        client.remove("thin", thin);
    }

    @Test
    void anOptionClassReplacesTheLayout() throws Exception {
        var request = CreateLVRequest.newBuilder().setName(uid("m")).setSizeBytes(8 * MIB);
        var made = client.create(request.setLvcreateOptionClass("mirror").build());
        assertEquals("raid1", sh("lvs --noheadings -o segtype lab/" + made.getName()));
        client.remove("thick", made.getName());
        // The group has the bytes, but no two disks have: only LVM knows that.
        request.setSizeBytes(600 * MIB);
        refused(RESOURCE_EXHAUSTED, () -> client.create(request.build()));
    }

    @Test
    void anOpenVolumeAndAPoolAreNotRemoved() throws Exception {
        var name = client.create("thick", uid("open"), 8 * MIB).getName();
        var holder =
                new ProcessBuilder("sleep", "60")
                        .redirectInput(Path.of("/dev/lab/" + name).toFile())
                        .start();
        var why = refused(UNKNOWN, () -> client.remove("thick", name));
        assertTrue(why.contains("in use"), why);
        holder.destroyForcibly().waitFor();
        client.remove("thick", name);
        refused(FAILED_PRECONDITION, () -> client.remove("thin", "pool"));
    }

    @Test
    void manyCallsAtOnceKeepToWhatThereIs() throws Exception {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 12; i++) {
            var name = uid("many" + i);
            threads.add(
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    client.create("other", name, 16 * MIB);
                                } catch (StatusRuntimeException e) {
                                    assertEquals(RESOURCE_EXHAUSTED, e.getStatus().getCode());
                                }
                            }));
        }
        for (var thread : threads) {
            thread.join();
        }
        assertEquals(8, client.names("other").size(), "64 MiB, twice");
        for (var name : client.names("other")) {
            client.remove("other", name);
        }
    }

    /** TopoLVM needs a restart for each change, and by that restarts its node as well. */
    @Test
    void theFileIsFollowedAndAWrongOneChangesNothing() throws Exception {
        var watch = client.watch();
        watch.await(_ -> true);
        write(SOCKET, CLASSES.replace("name: other\n  volume", "name: renamed\n  volume"));
        watch.await(
                state ->
                        state.getItemsList().stream()
                                .anyMatch(i -> i.getDeviceClass().equals("renamed")));
        refused(NOT_FOUND, () -> client.list("other"));
        write(SOCKET, CLASSES.replace("type: thin", "type: fat"));
        awaitLog("configuration refused, the former one stays", 1);
        assertEquals(List.of(), client.list("renamed"));
        write(SOCKET, CLASSES.replace("volume-group: lab", "volume-group: later"));
        awaitLog("configuration refused, the former one stays", 2);
        assertEquals(List.of(), client.list("renamed"));

        var elsewhere = SOCKET.resolveSibling("elsewhere.sock");
        write(elsewhere, CLASSES);
        awaitLog("lvmd serves", 2);
        try (var moved = new LvmdClient(elsewhere)) {
            assertEquals(List.of(), moved.list("other"));
        }
        write(SOCKET, "");
        awaitLog("configuration refused, the former one stays", 3);
        write(SOCKET, CLASSES);
        awaitLog("lvmd serves", 3);
        assertEquals(ServingStatus.SERVING, client.health());
        assertEquals(0, process("lvmd", "health", "--config=" + config).waitFor());
    }

    /** An lvmd of its own whose class erases; it ends by SIGKILL. */
    private record Eraser(Process lvmd, LvmdClient client) implements AutoCloseable {
        static Eraser start(String rate) throws Exception {
            var socket = SOCKET.resolveSibling("eraser.sock");
            var other = config.resolveSibling("eraser.yaml");
            Files.deleteIfExists(socket);
            Files.writeString(
                    other,
                    """
                    socket-name: %s
                    device-classes:
                    - name: erased
                      volume-group: lab
                      spare-gb: 0
                      zero-volumes: block
                      erase-on-removal: zero
                      erase-rate: %s
                    """
                            .formatted(socket, rate));
            var arguments = new String[] {"lvmd", "--config=" + other, "--metrics-bind-address="};
            var lvmd = LvmdGuest.process(arguments);
            while (!Files.exists(socket)) {
                assertTrue(lvmd.isAlive(), Files.readString(log));
                Thread.sleep(50);
            }
            return new Eraser(lvmd, new LvmdClient(socket));
        }

        @Override
        public void close() {
            client.close();
            lvmd.destroyForcibly().onExit().join();
        }
    }

    private static String markers(String volume) throws Exception {
        var dd = "dd if=/dev/lab/" + volume + " bs=1M iflag=direct status=none";
        return sh(dd + " | { grep -a -c tenant-before || true; }");
    }

    private static void mark(String volume) throws Exception {
        var yes = "yes tenant-before | dd iflag=fullblock oflag=direct status=none bs=1M";
        sh(yes + " of=/dev/lab/" + volume + " 2>/dev/null || true");
        assertNotEquals("0", markers(volume));
    }

    /** Nobody is shown a volume that a caller gave up on, and a kill in the middle is no end. */
    @Test
    @Safety(17)
    void aVolumeThatTakesLongerThanACallIsZeroedAlthoughLvmdIsKilled() throws Exception {
        sh("lvcreate -q -y -Wn -l 100%FREE -n all lab");
        mark("all");
        sh("lvremove -q -y lab/all");
        var name = uid("erased");
        var request = CreateLVRequest.newBuilder().setName(name).setDeviceClass("erased");
        var sized = request.setSizeBytes(64 * MIB).build();
        try (var slow = Eraser.start("2Mi")) {
            refused(DEADLINE_EXCEEDED, () -> slow.client().createWithin(4, sized));
            assertEquals(List.of(), slow.client().names("erased"));
            refused(NOT_FOUND, () -> slow.client().resize("erased", name, 96 * MIB));
        }
        assertNotEquals("0", markers(name), "it was killed in the middle");
        try (var fast = Eraser.start("1Gi")) {
            assertEquals(64 * MIB, fast.client().create(sized).getSizeBytes());
            assertEquals("0", markers(name));
            assertEquals(96 * MIB, fast.client().resize("erased", name, 96 * MIB));
            assertEquals("0", markers(name));
            assertEquals(List.of(name), fast.client().names("erased"));
        }
        mark(name);
        try (var slow = Eraser.start("2Mi")) {
            slow.client().remove("erased", name);
            assertEquals(List.of(), slow.client().names("erased"));
        }
        assertTrue(sh("lvs --noheadings -o lv_name lab").contains("lvms-erase-"));
        try (var _ = Eraser.start("1Gi")) {
            while (sh("lvs --noheadings -o lv_name lab").contains("lvms-erase-")) {
                Thread.sleep(50);
            }
        }
    }

    /** TopoLVM's lvmd with a watcher ends by SIGKILL alone. */
    @Test
    void itEndsBySigtermWithAWatcher() throws Exception {
        var other = config.resolveSibling("other.yaml");
        var socket = SOCKET.resolveSibling("other.sock");
        Files.writeString(other, "socket-name: " + socket + "\ndevice-classes:\n" + CLASSES);
        var second = process("lvmd", "--config", other.toString(), "--metrics-bind-address", "");
        try (var caller = new LvmdClient(socket)) {
            while (!Files.exists(socket)) {
                assertTrue(second.isAlive(), Files.readString(log));
                Thread.sleep(50);
            }
            var watch = caller.watch();
            watch.await(_ -> true);
            second.destroy();
            assertTrue(second.waitFor(5, TimeUnit.SECONDS), "it still runs");
            assertTrue(!Files.exists(socket), "the socket is gone with it");
        }
    }
}
