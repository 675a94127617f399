package lvms.lvm2.command;

import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command.Effect;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Makes a volume group of random devices, sizes, extent size, policy, tags and holes. The same seed
 * makes the same group.
 */
final class RandomGroup {
    static final String VG = "lvms-layout";
    private static final List<Long> EXTENT_KIB = List.of(4096L, 4096L, 4096L, 1024L, 64L);

    /** So small that metadata of RAID takes more than one. */
    private static final long TINY_EXTENT_KIB = 8;

    private static final List<String> POLICIES =
            List.of("normal", "normal", "normal", "normal", "contiguous", "cling", "anywhere");

    private final MendingRunner lvm;
    private final Random random;
    private final List<Path> devices;
    private final boolean deviceMapper;
    private final long seed;
    private final List<String> commands = new ArrayList<>();

    /** A group without thin pools, or one that may have some. */
    RandomGroup(MendingRunner lvm, List<Path> devices, boolean deviceMapper, long seed) {
        this.deviceMapper = deviceMapper;
        this.seed = seed;
        this.lvm = lvm;
        this.random = new Random(seed);
        this.devices = new ArrayList<>(devices);
    }

    long seed() {
        return seed;
    }

    /** The commands that made the group, for repeating it by hand. */
    List<String> commands() {
        return commands;
    }

    void make() throws LvmException, InterruptedException {
        Collections.shuffle(devices, random);
        var members = devices.subList(0, 1 + random.nextInt(devices.size()));
        boolean tiny = random.nextInt(6) == 0;
        long extentKib = tiny ? TINY_EXTENT_KIB : EXTENT_KIB.get(random.nextInt(EXTENT_KIB.size()));
        var extents = new ArrayList<Integer>();
        for (var device : members) {
            int least = (int) (1024 / extentKib) + 2; // of a device LVM wants 2 MiB
            int size = least + random.nextInt(random.nextBoolean() ? 12 : 50);
            long kib = size * extentKib + Math.max(1024, extentKib) + extentKib / 2;
            extents.add(size);
            run(
                    "pvcreate",
                    "-y",
                    "-ff",
                    "--metadatasize",
                    "500k",
                    "--setphysicalvolumesize",
                    kib + "k",
                    device.toString());
        }
        var vgcreate = words("vgcreate", "-y", "-s", extentKib + "k", VG);
        vgcreate.addAll(1, List.of("--alloc", POLICIES.get(random.nextInt(POLICIES.size()))));
        members.forEach(device -> vgcreate.add(device.toString()));
        run(vgcreate);
        for (int i = 0; i < members.size(); i++) {
            occupy(members.get(i), i, extents.get(i));
        }
        makeAndRemove();
        if (deviceMapper && random.nextInt(3) == 0) {
            makePool();
        }
        for (var device : members) {
            mark(device);
        }
    }

    private void occupy(Path device, int number, int extents)
            throws LvmException, InterruptedException {
        var ranges = new ArrayList<String>();
        int used = 0;
        int at = random.nextInt(3) * random.nextInt(4);
        while (at < extents && ranges.size() < random.nextInt(7)) {
            int end = Math.min(extents - 1, at + random.nextInt(6));
            ranges.add(at + "-" + end);
            used += end - at + 1;
            at = end + 2 + random.nextInt(8);
        }
        if (used > 0) {
            run(
                    "lvcreate",
                    "-y",
                    "-an",
                    "-Zn",
                    "-Wn",
                    "--alloc",
                    "anywhere",
                    "-l",
                    "" + used,
                    "-n",
                    "used" + number,
                    VG,
                    device + ":" + String.join(":", ranges));
        }
    }

    /** Volumes where LVM puts them, of which some go again. */
    private void makeAndRemove() throws LvmException, InterruptedException {
        int count = random.nextInt(5);
        var made = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            var words = words("lvcreate", "-y", "-an", "-Zn", "-Wn", "-n", "lv" + i);
            words.addAll(List.of("-l", "" + (1 + random.nextInt(9)), VG));
            try {
                run(words);
                made.add("lv" + i);
            } catch (LvmException.OutOfSpace e) {
                commands.removeLast(); // it is as full as it can be
            }
        }
        for (var name : made) {
            if (random.nextBoolean()) {
                run("lvremove", "-y", VG + "/" + name);
            }
        }
    }

    private void makePool() throws LvmException, InterruptedException {
        var words = words("lvcreate", "-y", "-an", "-Zn", "--type", "thin-pool", "-n", "pool");
        words.addAll(List.of("--poolmetadatasize", 2 * (1 + random.nextInt(4)) + "m"));
        words.addAll(List.of("-l", "" + (8 + random.nextInt(9)), VG));
        try {
            run(words);
        } catch (LvmException e) {
            commands.removeLast();
            if (!(e instanceof LvmException.OutOfSpace) && !SizeTrial.isBug(e)) {
                throw e;
            }
        }
    }

    private void mark(Path device) throws LvmException, InterruptedException {
        if (random.nextInt(8) == 0) {
            run("pvchange", "-x", "n", device.toString());
        }
        for (var tag : List.of("a", "b")) {
            if (random.nextInt(3) == 0) {
                run("pvchange", "--addtag", tag, device.toString());
            }
        }
    }

    void remove() throws LvmException, InterruptedException {
        run("vgremove", "-y", "-ff", VG);
    }

    private static List<String> words(String... words) {
        return new ArrayList<>(List.of(words));
    }

    private void run(String... words) throws LvmException, InterruptedException {
        run(List.of(words));
    }

    private void run(List<String> words) throws LvmException, InterruptedException {
        commands.add(words.stream().collect(Collectors.joining(" ", "lvm ", "")));
        lvm.run(Effect.CHANGE, words);
    }
}
