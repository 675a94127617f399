package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.command.LvmCommands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A process that uses the library for thousands of commands and watches what it and its workers
 * hold. Arguments: how many commands, LVM's folder, the device.
 */
final class SoakProgram {
    private static final long MIB = 1L << 20;
    private static final String VG = "lvms-soak-test";
    private static final Duration IDLE_AFTER = Duration.ofSeconds(2);

    /** Resident memory after the first fifth of the commands, at most that much is added. */
    private static final long MOST_GROWTH_BYTES = 12 * MIB;

    private final Lvm lvm;
    private final int wanted;
    private int commands;

    private SoakProgram(Lvm lvm, int wanted) {
        this.lvm = lvm;
        this.wanted = wanted;
    }

    public static void main(String[] args) throws Exception {
        var options =
                LvmOptions.defaults()
                        .withEngine(LvmOptions.Engine.WORKER)
                        .withTimes(IDLE_AFTER, Duration.ofSeconds(30))
                        .withSystemDir(Path.of(args[1]), false, false);
        var device = Path.of(args[2]);
        try (var all = LvmCommands.open(options)) {
            var lvm = all.limitedTo(DeviceScope.only(List.of(device)));
            lvm.groups().create(new NewVolumeGroup(VG, List.of(device), Set.of()));
            new SoakProgram(lvm, Integer.parseInt(args[0])).run();
            lvm.groups().remove(Now.group(lvm, VG));
            idle();
        }
    }

    private void run() throws Exception {
        round();
        var first = Set.copyOf(Processes.sample().keySet());
        while (commands < wanted / 5) {
            round();
        }
        var warm = Processes.sample();
        var most = new HashMap<>(warm);
        while (commands < wanted) {
            round();
            Processes.sample().forEach((who, held) -> most.merge(who, held, Held::most));
        }
        most.forEach((who, held) -> compare(who, warm.get(who), held));
        assertEquals(first, most.keySet(), "a server, a reader and a writer");
        requireNoMoreDescriptors(warm);
    }

    /** At least ten commands, four of them changes. */
    private void round() throws Exception {
        var name = new LvName(VG, "v" + commands);
        lvm.volumes().createThick(new NewThickVolume(name, 4 * MIB, Set.of("a")));
        assertEquals(8 * MIB, lvm.volumes().extend(Now.volume(lvm, name), 8 * MIB).sizeBytes());
        assertEquals(
                Set.of("b"),
                lvm.volumes().changeTags(Now.volume(lvm, name), Set.of("b"), Set.of("a")).tags());
        assertEquals(1, lvm.groups().report(VG).orElseThrow().logicalVolumes().size());
        lvm.volumes().remove(Now.volume(lvm, name));
        commands += 10;
    }

    private static void compare(String who, Held warm, Held most) {
        System.out.printf("%s: %s, at most %s%n", who, warm, most);
        assertTrue(
                most.residentBytes() - warm.residentBytes() <= MOST_GROWTH_BYTES,
                who + " grew from " + warm + " to " + most);
    }

    /**
     * A worker closes a command's handle after the answer, and makes the next: one for a moment.
     */
    private static void requireNoMoreDescriptors(Map<String, Held> warm) throws Exception {
        long end = System.nanoTime() + IDLE_AFTER.toNanos() / 2; // while they live
        while (!noMore(warm, Processes.sample())) {
            assertTrue(
                    System.nanoTime() < end, () -> "from " + warm + " to what /proc has open now");
            Thread.sleep(20);
        }
    }

    private static boolean noMore(Map<String, Held> warm, Map<String, Held> now) {
        return now.entrySet().stream()
                .allMatch(e -> e.getValue().descriptors() <= warm.get(e.getKey()).descriptors());
    }

    /** An idle library has no process, and starts none: none ends either, which would be noted. */
    private static void idle() throws Exception {
        long end = System.nanoTime() + IDLE_AFTER.multipliedBy(5).toNanos();
        while (ProcessHandle.current().descendants().findAny().isPresent()) {
            assertTrue(System.nanoTime() < end, "workers do not end");
            Thread.sleep(50);
        }
        var ended = Processes.endedChildren();
        Thread.sleep(IDLE_AFTER.plusSeconds(1));
        assertEquals(0, ProcessHandle.current().descendants().count());
        assertEquals(ended, Processes.endedChildren());
        System.out.println("idle: no process, and none was started");
    }

    /**
     * What a process holds.
     *
     * @param descriptors open files
     */
    private record Held(long residentBytes, int descriptors) {
        Held most(Held other) {
            return new Held(
                    Math.max(residentBytes, other.residentBytes),
                    Math.max(descriptors, other.descriptors));
        }

        @Override
        public String toString() {
            return residentBytes / MIB + " MiB, " + descriptors + " descriptors";
        }
    }

    /** This process and its children, from /proc. */
    private static final class Processes {
        /**
         * By role: children are numbered by their resident memory, since a worn one is replaced.
         */
        static Map<String, Held> sample() throws IOException {
            var held = new HashMap<String, Held>();
            held.put("server", held(ProcessHandle.current().pid()));
            int number = 0;
            for (var child : ProcessHandle.current().children().sorted().toList()) {
                if (child.isAlive() && number < 2) {
                    held.put("worker " + ++number, held(child.pid()));
                }
            }
            return held;
        }

        private static Held held(long pid) throws IOException {
            var process = Path.of("/proc", Long.toString(pid));
            var pages = Files.readString(process.resolve("statm")).split(" ")[1];
            try (var open = Files.list(process.resolve("fd"))) {
                return new Held(Long.parseLong(pages) * 4096, (int) open.count());
            }
        }

        /** Page faults and CPU time of children that ended: fields of proc_pid_stat(5). */
        static List<String> endedChildren() throws IOException {
            var stat = Files.readString(Path.of("/proc/self/stat"));
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Arrays.asList(fields[8], fields[10], fields[13], fields[14]);
        }
    }
}
