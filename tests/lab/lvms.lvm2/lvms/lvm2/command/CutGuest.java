package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.LabGuest;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.NewThinPool;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.Now;
import lvms.lvm2.PoolSize;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.filesystem.Mounts;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * What runs on a node of the lab: changes of a group are cut by SIGKILL at random points, one after
 * the other, each made again and inspected. Arguments: how many cuts, and the seed.
 */
final class CutGuest {
    static final String VG = CutChange.VG;
    private static final int CALIBRATIONS = 2;

    /** Of fifteen cuts, twelve are of the worker: it is the LVM process, and one JVM to start. */
    private static final int VICTIMS = 15;

    /** The last moment of a cut, in usual durations of its change. */
    private static final double LATEST = 1.05;

    private final Lvm lvm;
    private final Random random;
    private final CutInspection inspection;
    private final Path mount;
    private final Map<String, CutVictim> victims = new LinkedHashMap<>();
    private final Map<CutChange.Kind, Double> nanos = new EnumMap<>(CutChange.Kind.class);
    private final Map<String, Integer> cuts = new TreeMap<>();
    private CutModel model = CutModel.start();

    private CutGuest(Lvm lvm, long seed, Path mount) {
        this.lvm = lvm;
        this.random = new Random(seed);
        this.inspection = new CutInspection(lvm);
        this.mount = mount;
    }

    public static void main(String[] args) throws Exception {
        int wanted = Integer.parseInt(args[0]);
        long seed = Long.parseLong(args[1]);
        System.out.println(wanted + " cuts, seed " + seed);
        try (var all = LvmCommands.open(CutServer.options(LvmOptions.Engine.WORKER))) {
            var guest = all.limitedTo(DeviceScope.only(LabGuest.DISKS));
            var mount = Files.createTempDirectory(Path.of("/tmp"), "mount");
            new CutGuest(guest, seed, mount).run(wanted, WorkerVictim.workers());
            assertEquals(List.of(), all.groups().all());
        }
    }

    private void run(int wanted, Set<Long> readers) throws Exception {
        victims.put("worker", new WorkerVictim(lvm, readers));
        victims.put("server", new ServerVictim(LvmOptions.Engine.WORKER, false));
        victims.put("server and worker", new ServerVictim(LvmOptions.Engine.WORKER, true));
        victims.put("server and lvm", new ServerVictim(LvmOptions.Engine.EXEC, true));
        make();
        calibrate();
        long start = System.nanoTime();
        int made = 0;
        for (int done = 0; done < wanted; made++) {
            done += step() ? 1 : 0;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                "%d cuts in %d changes, %.0f s, %.2f s each: %s%n",
                wanted, made, seconds, seconds / wanted, cuts);
        end();
    }

    private void make() throws Exception {
        lvm.groups().create(new NewVolumeGroup(VG, LabGuest.DISKS, Set.of("lab")));
        var pool = new LvName(VG, CutChange.POOL);
        lvm.pools().create(new NewThinPool(pool, new PoolSize.Bytes(512L << 20)));
        long size = model.volumes().get(CutModel.MOUNTED).sizeBytes();
        new CutChange(CutChange.Kind.THIN, CutModel.MOUNTED, "", size).make(lvm);
        LabGuest.program("mkfs.ext4", "-q", device().toString());
        Mounts.mount(device(), mount, "ext4", Set.of(), "");
    }

    private static Path device() {
        return Path.of("/dev", VG, CutModel.MOUNTED);
    }

    /**
     * How long each kind takes, so that the cuts fall into it from its first moment to its last.
     */
    private void calibrate() throws Exception {
        for (int i = 0; i < CALIBRATIONS; i++) {
            for (var kind : CutChange.Kind.values()) {
                var change = model.change(kind, random);
                long start = System.nanoTime();
                change.make(lvm);
                learn(kind, System.nanoTime() - start);
                settle(change);
                inspection.settled(model);
            }
        }
    }

    private void learn(CutChange.Kind kind, long took) {
        nanos.merge(kind, (double) took, (old, now) -> 0.7 * old + 0.3 * now);
    }

    private boolean step() throws Exception {
        var change = model.next(random);
        var name = victim();
        var victim = victims.get(name);
        victim.prepare();
        System.out.println(name + ": " + change);
        double moment = random.nextDouble() * LATEST * nanos.get(change.kind());
        long start = System.nanoTime();
        boolean cut = victim.cut(change, (long) moment);
        if (cut) {
            inspection.cut(model, change);
            victim.make(change);
            cuts.merge(name + " in " + change.kind(), 1, Integer::sum);
        } else {
            learn(change.kind(), System.nanoTime() - start);
        }
        settle(change);
        if (cut) {
            inspection.settled(model);
        }
        return cut;
    }

    private String victim() {
        var names = new ArrayList<>(victims.keySet());
        int drawn = random.nextInt(VICTIMS);
        return names.get(Math.max(0, drawn - (VICTIMS - names.size())));
    }

    /** The change is made: the machine is as the model, and goes on to be used. */
    private void settle(CutChange change) throws Exception {
        model = model.after(change);
        switch (change.kind()) {
            case THIN, THICK -> CutInspection.write(change.volume(), change.volume());
            case SNAPSHOT, THICK_SNAPSHOT -> restamp(change.source());
            case EXTEND, STORE, REMOVE -> {}
        }
        Files.writeString(
                mount.resolve("file"),
                change.line(),
                StandardOpenOption.CREATE,
                StandardOpenOption.DSYNC);
    }

    /** What is written to the source later must not show in the snapshot. */
    private void restamp(String source) throws Exception {
        if (!source.equals(CutModel.MOUNTED) && !model.volumes().get(source).stamp().isEmpty()) {
            var stamp = source + " after " + model.made();
            CutInspection.write(source, stamp);
            model = model.stamped(source, stamp);
        }
    }

    private void end() throws Exception {
        for (var victim : victims.values()) {
            victim.end();
        }
        Mounts.unmount(mount);
        LabGuest.program("e2fsck", "-fn", device().toString());
        var thickSnapshotsFirst =
                Comparator.comparing((String name) -> !model.volumes().get(name).isThickSnapshot());
        for (var name : model.volumes().keySet().stream().sorted(thickSnapshotsFirst).toList()) {
            lvm.volumes().remove(Now.volume(lvm, new LvName(VG, name)));
        }
        lvm.pools().removeWithVolumes(Now.volume(lvm, new LvName(VG, CutChange.POOL)));
        lvm.groups().remove(Now.group(lvm, VG));
        assertEquals(List.of(), DeviceMapper.system().list());
    }
}
