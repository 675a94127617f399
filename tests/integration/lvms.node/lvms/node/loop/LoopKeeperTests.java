package lvms.node.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.listing.LoopDevice;
import lvms.api.listing.LoopState;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.loop.LoopDevices;
import lvms.tests.lab.machine.LoopDisks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Loop devices are made once, found again by their files, and never take each other's place. */
class LoopKeeperTests {
    private static final long GIB = 1L << 30;
    private final LoopKeeper keeper =
            new LoopKeeper(
                    new LoopNames("node1"), new HostFiles(Path.of("/")), BlockDevices.system());

    @TempDir Path folder;

    @BeforeEach
    void possible() {
        assumeTrue(LoopDisks.possible(), "needs root and loop devices");
    }

    @AfterEach
    void detach() throws IOException {
        try (var files = Files.list(folder)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                var device = LoopDevices.find(file);
                if (device.isPresent()) {
                    LoopDevices.detach(device.get());
                }
            }
        }
    }

    private LoopDevice auto(String name, int sizeGb) {
        return new LoopDevice(name, Optional.of(folder.toString()), OptionalInt.of(sizeGb), true);
    }

    private LoopState keep(LoopDevice wish, LoopState... recorded) {
        return keeper.keep("data", List.of(wish), List.of(recorded), true).getFirst();
    }

    private static void reboot(LoopState state) throws IOException {
        LoopDevices.detach(Path.of(state.deviceName()));
    }

    private static byte[] mark(Path device, String text) throws IOException {
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(text.getBytes()), GIB / 2);
            channel.force(true);
        }
        return text.getBytes();
    }

    private static byte[] read(String device, int bytes) throws IOException {
        var buffer = ByteBuffer.allocate(bytes);
        try (var channel = FileChannel.open(Path.of(device))) {
            channel.read(buffer, GIB / 2);
        }
        return buffer.array();
    }

    @Test
    void makesADiskAndFindsItsContentAfterABoot() throws IOException {
        var made = keep(auto("a", 1));
        assertTrue(made.isSuccessful(), made.message());
        assertTrue(made.file().startsWith(folder + "/data@a@"), made.file());
        assertEquals(Optional.of(Path.of(made.deviceName())), keeper.device(Path.of(made.file())));
        assertEquals(GIB, BlockDevices.sizeBytes(Path.of(made.deviceName())));
        var content = mark(Path.of(made.deviceName()), "precious");
        assertEquals(made, keep(auto("a", 1), made));

        reboot(made);
        var other = Files.createFile(folder.resolve("other.img"));
        try (var channel = FileChannel.open(other, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), 1 << 20);
        }
        LoopDevices.attach(other); // whoever comes first may get the number
        var again = keep(auto("a", 1), made);
        assertTrue(again.isSuccessful(), again.message());
        assertEquals(new String(content), new String(read(again.deviceName(), content.length)));
    }

    @Test
    void makesNothingInThePlaceOfAFileThatIsGone() throws IOException {
        var made = keep(auto("a", 1));
        reboot(made);
        var away = folder.resolve("away");
        Files.move(Path.of(made.file()), away);
        var failed = keep(auto("a", 1), made);
        assertFalse(failed.isSuccessful());
        assertTrue(failed.message().startsWith("its file " + made.file() + " is gone"));
        assertFalse(Files.exists(Path.of(made.file())));
        assertEquals(made.file(), failed.file());

        Files.move(away, Path.of(made.file()));
        assertTrue(keep(auto("a", 1), failed).isSuccessful());
    }

    /** NativeStor's files have names of its own. */
    @Test
    void keepsTheFileThatWasRecordedUnderAnotherName() throws IOException {
        var file = folder.resolve("6f9619ff-8b86-d011-b42d-00c04fc964ff");
        new HostFiles(Path.of("/")).makeSparse(file, GIB);
        var recorded = LoopState.successful("a", file.toString(), "/dev/loop9999", "");
        var found = keep(auto("a", 1), recorded);
        assertTrue(found.isSuccessful(), found.message());
        assertEquals(file.toString(), found.file());
        assertEquals(List.of(), keeper.made("data", List.of(found)), "the node has not made it");
    }

    @Test
    void saysWhyThereIsNone() {
        var nowhere = new LoopDevice("a", Optional.of("/nowhere/loops"), OptionalInt.of(1), true);
        assertEquals("there is no folder /nowhere/loops on the node", keep(nowhere).message());
        assertEquals("", keep(nowhere).file());
    }

    @Test
    void saysWhenTheFilesystemIsFull() throws Exception {
        LoopDisks.run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.toString());
        try {
            var message = keep(auto("a", 1)).message();
            assertTrue(
                    message.matches(
                            "the filesystem of " + folder + " is full: [0-9]+ bytes are left"),
                    message);
        } finally {
            LoopDisks.run("umount", folder.toString());
        }
    }

    /** As an agent in its container, which has mounts of its own. */
    @Test
    void reachesFilesWhereOnlyTheHostHasThem() throws Exception {
        var inside = Files.createDirectory(folder.resolve("inside"));
        var script = "mount -t tmpfs tmpfs %s && echo up && exec sleep 600".formatted(inside);
        var host =
                new ProcessBuilder(
                                "unshare",
                                "--mount",
                                "--propagation",
                                "private",
                                "sh",
                                "-c",
                                script)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try {
            assertEquals("up", host.inputReader().readLine());
            var there =
                    new LoopKeeper(
                            new LoopNames("node1"),
                            new HostFiles(Path.of("/proc/" + host.pid() + "/root")),
                            BlockDevices.system());
            var wish = new LoopDevice("a", Optional.of(inside.toString()), OptionalInt.of(1), true);
            var made = there.keep("data", List.of(wish), List.of(), true).getFirst();
            assertTrue(made.isSuccessful(), made.message());
            var device = Path.of(made.deviceName());
            try {
                assertTrue(made.file().startsWith(inside + "/data@a@"), made.file());
                assertEquals(0, inside.toFile().list().length);
                assertEquals(GIB, BlockDevices.sizeBytes(device));
                assertEquals(List.of(made), there.keep("data", List.of(wish), List.of(made), true));
                there.remove(Path.of(made.file()), device);
                assertEquals(Optional.empty(), there.device(Path.of(made.file())));
            } finally {
                var left = there.device(Path.of(made.file()));
                if (left.isPresent()) {
                    LoopDevices.detach(left.get());
                }
            }
        } finally {
            host.destroyForcibly().waitFor();
        }
    }

    @Test
    void takesDownWhatItMadeAndNothingElse() throws IOException {
        var made = keep(auto("a", 1));
        var theirs = folder.resolve("theirs.img");
        new HostFiles(Path.of("/")).makeSparse(theirs, GIB);
        var device = LoopDevices.attach(theirs);
        var adopted = keep(adopted(device));
        assertTrue(adopted.isSuccessful(), adopted.message());
        assertEquals(theirs.toString(), adopted.file());

        var states = List.of(made, adopted);
        assertEquals(List.of(Path.of(made.file())), keeper.made("data", states));
        assertEquals(List.of(), keeper.made("other", states));
        keeper.remove(Path.of(made.file()), Path.of(made.deviceName()));
        assertFalse(Files.exists(Path.of(made.file())));
        assertEquals(List.of(), keeper.made("data", states));
        assertEquals(Optional.of(device), LoopDevices.find(theirs));
    }

    private static LoopDevice adopted(Path device) {
        return new LoopDevice(device.toString(), Optional.empty(), OptionalInt.empty(), false);
    }

    /** A pass that was killed after it had made the file. */
    @Test
    void takesAFileOfItsNameThatNobodyRemembersOnlyInItsSize() throws IOException {
        var made = keep(auto("a", 1));
        assertEquals(made, keep(auto("a", 1)));
        reboot(made);
        var refused = keep(auto("a", 2));
        assertFalse(refused.isSuccessful());
        assertTrue(refused.message().contains("of 1073741824 bytes, not of 2 GiB"));
        assertTrue(keep(auto("a", 1)).isSuccessful());
    }

    @Test
    void makesNothingForAGroupThatGoes() {
        var state = keeper.keep("data", List.of(auto("a", 1)), List.of(), false).getFirst();
        assertEquals(LoopState.failed("a", "", "it was never made"), state);
        assertEquals(0, folder.toFile().list().length);
    }

    /** Nobody would know after a boot where it began. */
    @Test
    void aPartOfAFileIsNoDevice() throws Exception {
        var theirs = folder.resolve("theirs.img");
        new HostFiles(Path.of("/")).makeSparse(theirs, GIB);
        var command =
                new String[] {
                    "losetup", "--find", "--show", "--offset", "1048576", theirs.toString()
                };
        var device = Path.of(LoopDisks.run(command).strip());
        try {
            var failed = keep(adopted(device));
            assertFalse(failed.isSuccessful());
            assertTrue(failed.message().startsWith("it is a part of " + theirs));
            assertEquals("", failed.file());
            assertEquals(Optional.empty(), LoopDevices.find(theirs));
        } finally {
            LoopDevices.detach(device);
        }
    }

    private Path theirs(String name) throws IOException {
        var file = folder.resolve(name);
        if (!Files.exists(file)) {
            new HostFiles(Path.of("/")).makeSparse(file, GIB);
        }
        return file;
    }

    /** The numbers are the machine's: while it is off, another program may get one. */
    private Path adoptedAndDetached() throws IOException {
        var device = LoopDevices.attach(theirs("theirs.img"));
        assertTrue(keep(adopted(device)).isSuccessful());
        LoopDevices.detach(device);
        return device;
    }

    private static boolean taken(LoopState state) {
        return state.message().startsWith("its file was ");
    }

    @Test
    void aPersonsDeviceComesBackAsItWas() throws IOException {
        var file = theirs("theirs.img");
        LoopState again;
        Path device;
        int tries = 0;
        do {
            device = adoptedAndDetached();
            var before =
                    LoopState.successful(device.toString(), file.toString(), device.toString(), "");
            again = keep(adopted(device), before);
        } while (taken(again) && ++tries < 20);
        assertTrue(again.isSuccessful(), again.message());
        assertEquals(Optional.of(device), LoopDevices.find(file));
    }

    @Test
    void aPersonsDeviceIsNotTakenForAnotherOne() throws IOException {
        var device = LoopDevices.attach(theirs("other.img"));
        var was = folder.resolve("was.img").toString();
        var before = LoopState.successful(device.toString(), was, device.toString(), "");
        var failed = keep(adopted(device), before);
        assertFalse(failed.isSuccessful());
        assertEquals(was, failed.file());
        assertEquals(
                "its file was %s, and is %s now".formatted(was, folder.resolve("other.img")),
                failed.message());
    }

    @Test
    void aPersonsFileIsAttachedOnce() throws IOException {
        var file = theirs("theirs.img");
        var elsewhere = LoopDevices.attach(file);
        var name = "/dev/loop9999"; // nobody has so many
        var failed = keep(adopted(Path.of(name)), LoopState.successful(name, file + "", name, ""));
        assertFalse(failed.isSuccessful());
        assertTrue(failed.message().contains(" is attached to " + elsewhere + " now"));
    }

    @Test
    void whatTheClassNoLongerNamesStaysWhereItIs() throws IOException {
        var made = keep(auto("a", 1));
        reboot(made);
        var states = keeper.keep("data", List.of(), List.of(made), true);
        assertEquals(
                List.of("the class no longer names it"),
                states.stream().map(LoopState::message).toList());
        assertTrue(LoopDevices.find(Path.of(made.file())).isPresent());
    }
}
