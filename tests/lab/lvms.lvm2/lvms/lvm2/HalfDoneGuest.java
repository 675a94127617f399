package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.command.WorkerVictim;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.system.Program;
import lvms.tests.lab.machine.GuestArchive;

import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * Each operation of the library is cut at several of its moments by killing what makes it, mended,
 * and made again: then it is done, and nothing is left of the first try. Arguments: how many cuts
 * of each operation, the seed, and the operations; none are all.
 */
final class HalfDoneGuest {
    private static final int SLICES = 8;
    private static final int TRIES = 3;

    /**
     * Before a group's first pool LVM makes the spare; until that has its name, it is anybody's.
     */
    private static final Pattern BEGUN_SPARE = Pattern.compile("lvol\\d+");

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Lvm all;
    private final Set<Long> readers = WorkerVictim.workers();
    private final int cuts;
    private final Random random;
    private final List<String> told = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();

    /** How long the operation takes if nothing cuts it. */
    private long usualNanos;

    /** The volumes after the operation if nothing cuts it. */
    private Set<String> whole = Set.of();

    private HalfDoneGuest(Lvm all, int cuts, Random random) {
        this.all = all;
        this.cuts = cuts;
        this.random = random;
    }

    public static void main(String[] args) throws Exception {
        var options =
                GuestArchive.lvmOptions()
                        .withEngine(LvmOptions.Engine.WORKER)
                        .withSystemDir(Files.createTempDirectory("lvm"), false, true)
                        .withTimes(Duration.ofMinutes(5), Duration.ofSeconds(30));
        Slices.create();
        var wanted = List.of(args).subList(2, args.length);
        try (var all = LvmCommands.open(options)) {
            all.groups().all();
            var guest =
                    new HalfDoneGuest(
                            all, Integer.parseInt(args[0]), new Random(Long.parseLong(args[1])));
            for (var scene : HalfDoneScenes.of(all)) {
                if (wanted.isEmpty() || wanted.contains(scene.name())) {
                    guest.tryToPlay(scene);
                }
            }
            System.out.println(String.join("\n", guest.told));
            assertEquals(List.of(), guest.failed);
        }
        Slices.remove();
    }

    private void tryToPlay(HalfDoneScenes.Scene scene) throws Exception {
        try {
            play(scene);
        } catch (Exception | AssertionError e) {
            failed.add("%s before any cut: %s".formatted(scene.name(), story(e)));
            force();
        }
    }

    private void play(HalfDoneScenes.Scene scene) throws Exception {
        uncut(scene);
        int hit = 0;
        for (int i = 0; i < cuts; i++) {
            double moment = (i + random.nextDouble()) / cuts;
            try {
                hit += cut(scene, moment) ? 1 : 0;
            } catch (Exception | AssertionError e) {
                failed.add("%s cut at %.2f: %s".formatted(scene.name(), moment, story(e)));
                force();
            }
        }
        told.add("%s: %d cuts, %.1f s".formatted(scene.name(), hit, usualNanos / 1e9));
        if (hit == 0) {
            failed.add(scene.name() + " was never cut");
        }
    }

    /** The operation may be over before it is cut: then it is quicker than was thought. */
    private boolean cut(HalfDoneScenes.Scene scene, double moment) throws Exception {
        for (int i = 0; i < TRIES; i++) {
            if (cut(scene, (long) (moment * usualNanos))) {
                return true;
            }
        }
        return false;
    }

    /** The next cut begins on blank disks, whatever this one left. */
    private void force() throws Exception {
        Program.of(PATIENCE, "lvm", "vgremove", "-ff", "-y", OperationsGuest.VG).run();
        for (var device : left()) {
            Program.of(PATIENCE, "dmsetup", "remove", "--force", device).run();
        }
        Program.of(PATIENCE, "rm", "-rf", "/dev/" + OperationsGuest.VG).run();
        for (int i = 0; i < SLICES; i++) {
            var disk = Slices.device(i).toString();
            Program.of(PATIENCE, "lvm", "pvremove", "-ff", "-y", disk).run();
        }
    }

    private static String story(Throwable e) {
        var lines = new ArrayList<>(List.of(e.toString()));
        for (var frame : e.getStackTrace()) {
            if (frame.getClassName().startsWith("lvms.")) {
                lines.add("  at " + frame);
            }
        }
        return String.join("\n", lines.subList(0, Math.min(8, lines.size())));
    }

    private void uncut(HalfDoneScenes.Scene scene) throws Exception {
        scene.prepare().run();
        long start = System.nanoTime();
        scene.act().run();
        usualNanos = System.nanoTime() - start;
        scene.check().run();
        whole = volumes();
        clean();
    }

    private boolean cut(HalfDoneScenes.Scene scene, long afterNanos) throws Exception {
        scene.prepare().run();
        // the writer stands ready; the group of the scene may be exported, which LVM would refuse
        var nobody = new LvName("no-vg", "nobody");
        all.volumes().deactivate(new Identity<>(nobody, Now.NOBODY));
        long start = System.nanoTime();
        long end = start + afterNanos;
        var killer = Thread.ofPlatform().start(() -> killAt(end));
        boolean dead = false;
        try {
            scene.act().run();
            usualNanos = System.nanoTime() - start;
        } catch (LvmException e) {
            dead = true;
        } finally {
            killer.interrupt();
            killer.join();
        }
        all.groups().mend(OperationsGuest.VG);
        assertEquals(List.of(), DeviceMapper.system().suspended(), "I/O would hang");
        scene.act().run();
        scene.check().run();
        assertEquals(whole, volumes(), "not as if it had not been cut");
        clean();
        return dead;
    }

    private void killAt(long end) {
        while (System.nanoTime() < end && !Thread.interrupted()) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        if (System.nanoTime() >= end) {
            for (var worker : WorkerVictim.workers()) {
                if (!readers.contains(worker)) {
                    ProcessHandle.of(worker).ifPresent(ProcessHandle::destroyForcibly);
                }
            }
        }
    }

    private Set<String> volumes() throws Exception {
        var volumes = new TreeSet<String>();
        var group = all.groups().find(OperationsGuest.VG);
        if (group.filter(found -> !found.exported()).isPresent()) {
            for (var volume : all.volumes().all(OperationsGuest.VG)) {
                var active = volume.active() ? "active" : "inactive";
                if (!BEGUN_SPARE.matcher(volume.name().lv()).matches()) {
                    volumes.add("%s %s %s".formatted(volume.name(), active, volume.tags()));
                }
            }
        }
        return volumes;
    }

    /** Removes everything by the library; what is still there then was left behind. */
    private void clean() throws Exception {
        all.groups().mend(OperationsGuest.VG);
        var group = all.groups().find(OperationsGuest.VG);
        if (group.isPresent()) {
            empty(group.get());
            all.groups().remove(group.get().identity());
        }
        for (int i = 0; i < SLICES; i++) {
            all.physicalVolumes().remove(Now.device(all, Slices.device(i)));
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!left().isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(500);
        }
        assertEquals(Set.of(), left(), "left behind");
    }

    private void empty(VolumeGroup group) throws Exception {
        if (group.exported()) {
            all.groups().importGroup(group.identity());
        }
        var volumes = all.volumes().all(group.name());
        for (var volume : volumes) {
            if (volume.origin().isPresent()) {
                all.volumes().remove(volume.identity());
            }
        }
        for (var volume : volumes) {
            if (volume.isThinPool()) {
                all.pools().removeWithVolumes(volume.identity());
            } else {
                all.volumes().remove(volume.identity());
            }
        }
    }

    private static Set<String> left() throws Exception {
        var left = new TreeSet<String>();
        for (var device : DeviceMapper.system().list()) {
            if (!device.name().startsWith("slice")) {
                left.add(device.name());
            }
        }
        return left;
    }
}
