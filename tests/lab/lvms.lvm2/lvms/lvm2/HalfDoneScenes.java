package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LogicalVolumes.Tuning;
import lvms.lvm2.LogicalVolumes.Tuning.ReadAhead;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The operations of the library, each with what stands before it and what it has to leave. */
final class HalfDoneScenes {
    private static final long MIB = OperationsGuest.MIB;
    private static final String VG = OperationsGuest.VG;
    private static final int CONTENT = 4 << 20;
    private static final LvName POOL = OperationsGuest.name("pool");
    private static final LvName DATA = OperationsGuest.name("data");
    private static final LvName COPY = OperationsGuest.name("copy");
    private static final Tuning TUNING =
            new Tuning(Optional.of(ReadAhead.ofBytes(MIB)), Optional.of(AllocationPolicy.CLING));

    private final Lvm all;
    private final List<Scene> scenes = new ArrayList<>();
    private Lvm lvm;
    private Identity<LvName> data;
    private Identity<LvName> copy;
    private Identity<LvName> pool;
    private Identity<String> group;
    private Identity<Path> disk;

    private HalfDoneScenes(Lvm all) {
        this.all = all;
    }

    interface Action {
        void run() throws Exception;
    }

    /**
     * @param act the operation; made again if it is cut
     * @param check what must be true afterwards
     */
    record Scene(String name, Action prepare, Action act, Action check) {}

    static List<Scene> of(Lvm all) {
        var scenes = new HalfDoneScenes(all);
        scenes.volumes();
        scenes.snapshots();
        scenes.pools();
        scenes.raid();
        scenes.groups();
        scenes.physicalVolumes();
        return scenes.scenes;
    }

    private void add(String name, Action prepare, Action act, Action check) {
        scenes.add(new Scene(name, prepare, act, check));
    }

    private void group() throws Exception {
        lvm = OperationsGuest.group(all, 4);
        group = Now.group(lvm, VG);
    }

    private void thick() throws Exception {
        group();
        data = OperationsGuest.thick(lvm, "data", 16 * MIB).identity();
        OperationsGuest.write("data", 1, CONTENT);
    }

    private void pool() throws Exception {
        group();
        pool = lvm.pools().create(new NewThinPool(POOL, new PoolSize.Bytes(64 * MIB))).identity();
    }

    private void thin() throws Exception {
        pool();
        var request = new NewThinVolume(DATA, "pool", 16 * MIB, Set.of("t"));
        data = lvm.volumes().createThin(request).identity();
        OperationsGuest.write("data", 1, CONTENT);
    }

    private LogicalVolume data() throws Exception {
        return lvm.volumes().find(DATA).orElseThrow();
    }

    private void intact() throws Exception {
        assertTrue(data().active());
        OperationsGuest.assertContent("data", 1, CONTENT);
    }

    private void gone(LvName name) throws Exception {
        assertTrue(lvm.volumes().find(name).isEmpty());
    }

    private void volumes() {
        var thin = new NewThinVolume(DATA, "pool", 16 * MIB, Set.of("t"));
        add(
                "volumes.createThin",
                this::pool,
                () -> lvm.volumes().createThin(thin),
                () -> {
                    OperationsGuest.write("data", 2, CONTENT);
                    OperationsGuest.assertContent("data", 2, CONTENT);
                });
        add(
                "volumes.createThick",
                this::group,
                () -> OperationsGuest.thick(lvm, "data", 16 * MIB),
                () -> OperationsGuest.write("data", 2, CONTENT));
        add(
                "volumes.extendThin",
                this::thin,
                () -> lvm.volumes().extend(data, 32 * MIB),
                () -> grown(32 * MIB));
        add(
                "volumes.extendThick",
                this::thick,
                () -> lvm.volumes().extend(data, 32 * MIB),
                () -> grown(32 * MIB));
        add(
                "volumes.reduce",
                this::thick,
                () -> lvm.volumes().reduce(new VolumeReduction(data, 8 * MIB)),
                () -> grown(8 * MIB));
        add(
                "volumes.rename",
                this::thick,
                () -> lvm.volumes().rename(data, "renamed"),
                () -> {
                    gone(DATA);
                    OperationsGuest.assertContent("renamed", 1, CONTENT);
                });
        add("volumes.removeThin", this::thin, () -> lvm.volumes().remove(data), () -> gone(DATA));
        add("volumes.removeThick", this::thick, () -> lvm.volumes().remove(data), () -> gone(DATA));
        add(
                "volumes.activate",
                () -> {
                    thin();
                    lvm.volumes().deactivate(data);
                },
                () -> lvm.volumes().activate(data),
                this::intact);
        add(
                "volumes.activateAll",
                () -> {
                    thin();
                    var snapshot = new NewSnapshot(COPY, "data", true, Set.of("c"));
                    copy = lvm.snapshots().createThin(snapshot).identity();
                    lvm.volumes().deactivate(data);
                    lvm.volumes().deactivate(copy);
                },
                () -> {
                    var both = Set.of(data, copy);
                    assertEquals(both, lvm.volumes().activateAll(both));
                },
                () -> {
                    intact();
                    OperationsGuest.assertContent("copy", 1, CONTENT);
                });
        add(
                "volumes.deactivate",
                this::thin,
                () -> lvm.volumes().deactivate(data),
                () -> assertFalse(data().active()));
        add(
                "volumes.changePermission",
                this::thick,
                () -> lvm.volumes().changePermission(data, false),
                () -> {
                    assertFalse(data().writable());
                    intact();
                });
        add(
                "volumes.changeTags",
                this::thick,
                () -> lvm.volumes().changeTags(data, Set.of("a"), Set.of()),
                () -> assertEquals(Set.of("a"), data().tags()));
        add(
                "volumes.tune",
                this::thin,
                () -> lvm.volumes().tune(data, TUNING),
                () -> {
                    assertEquals(TUNING, lvm.volumes().tuning(data));
                    assertEquals("" + MIB / 1024, kernelReadAheadKib());
                    intact();
                });
        add("volumes.refresh", this::thin, () -> lvm.volumes().refresh(data), this::intact);
    }

    private String kernelReadAheadKib() throws Exception {
        var device = data().major().orElseThrow() + ":" + data().minor().orElseThrow();
        return Files.readString(Path.of("/sys/dev/block", device, "queue/read_ahead_kb")).strip();
    }

    private void grown(long bytes) throws Exception {
        assertEquals(bytes, data().sizeBytes());
        intact();
    }

    private void snapshots() {
        var thin = new NewSnapshot(COPY, "data", true, Set.of("c"));
        var thick = new NewThickSnapshot(COPY, "data", 16 * MIB, true, Set.of("c"));
        add(
                "snapshots.createThin",
                this::thin,
                () -> lvm.snapshots().createThin(thin),
                this::copied);
        add(
                "snapshots.createThick",
                this::thick,
                () -> lvm.snapshots().createThick(thick),
                this::copied);
        add(
                "snapshots.mergeThin",
                () -> {
                    thin();
                    copy = lvm.snapshots().createThin(thin).identity();
                    OperationsGuest.write("data", 2, CONTENT);
                },
                () -> lvm.snapshots().merge(copy),
                this::merged);
        add(
                "snapshots.mergeThick",
                () -> {
                    thick();
                    copy = lvm.snapshots().createThick(thick).identity();
                    OperationsGuest.write("data", 2, CONTENT);
                },
                () -> lvm.snapshots().merge(copy),
                this::merged);
    }

    /** The snapshot keeps what was there, whatever is written to the source now. */
    private void copied() throws Exception {
        intact();
        OperationsGuest.write("data", 2, CONTENT);
        OperationsGuest.assertContent("copy", 1, CONTENT);
        var made = lvm.volumes().find(COPY).orElseThrow();
        assertEquals(Set.of("c"), made.tags());
        assertEquals("data", made.origin().orElseThrow());
    }

    private void merged() throws Exception {
        gone(COPY);
        intact();
    }

    private void pools() {
        add(
                "pools.create",
                this::group,
                () -> lvm.pools().create(new NewThinPool(POOL, new PoolSize.Bytes(64 * MIB))),
                () -> {
                    var thin = new NewThinVolume(DATA, "pool", 16 * MIB, Set.of());
                    lvm.volumes().createThin(thin);
                    OperationsGuest.write("data", 2, CONTENT);
                });
        add(
                "pools.extend",
                this::thin,
                () -> lvm.pools().extend(pool, new PoolSize.Bytes(128 * MIB)),
                () -> {
                    assertEquals(128 * MIB, lvm.pools().find(POOL).orElseThrow().sizeBytes());
                    intact();
                });
        add(
                "pools.extendMetadata",
                this::thin,
                () -> lvm.pools().extendMetadata(pool, 16 * MIB),
                () -> {
                    var found = lvm.pools().find(POOL).orElseThrow();
                    assertEquals(16 * MIB, found.metadataSizeBytes());
                    intact();
                });
        add(
                "pools.adopt",
                this::thin,
                () -> lvm.pools().adopt(pool, Set.of("ours")),
                () -> {
                    var found = lvm.pools().find(POOL).orElseThrow();
                    assertEquals(Set.of("ours"), found.volume().tags());
                });
        add(
                "pools.check",
                () -> {
                    thin();
                    lvm.volumes().deactivate(data);
                    lvm.volumes().deactivate(pool);
                },
                () -> assertTrue(lvm.pools().check(pool).sound()),
                () -> {
                    lvm.volumes().activate(data);
                    intact();
                });
        add("pools.checkActive", this::thin, () -> lvm.pools().check(pool), this::intact);
        add(
                "pools.removeWithVolumes",
                this::thin,
                () -> lvm.pools().removeWithVolumes(pool),
                () -> {
                    gone(POOL);
                    gone(DATA);
                });
    }

    private void raid() {
        add(
                "raid.create",
                this::group,
                () ->
                        lvm.raid()
                                .create(
                                        new NewRaidVolume(
                                                DATA,
                                                16 * MIB,
                                                new RaidLayout.Raid1(2),
                                                Set.of("r"))),
                () -> {
                    synced();
                    OperationsGuest.write("data", 2, CONTENT);
                });
        add(
                "raid.changeCopiesUp",
                this::thick,
                () -> lvm.raid().changeCopies(data, 2),
                () -> {
                    synced();
                    assertEquals(2, lvm.raid().find(DATA).orElseThrow().images().size());
                    intact();
                });
        add(
                "raid.changeCopiesDown",
                () -> {
                    thick();
                    lvm.raid().changeCopies(data, 2);
                    synced();
                },
                () -> lvm.raid().changeCopies(data, 1),
                () -> {
                    assertTrue(lvm.raid().find(DATA).isEmpty());
                    intact();
                });
    }

    private void synced() throws Exception {
        OperationsGuest.await(
                "synchronization",
                () -> lvm.raid().find(DATA).orElseThrow().health() == RaidHealth.HEALTHY);
    }

    private void groups() {
        add(
                "groups.create",
                () -> lvm = all,
                this::group,
                () -> assertEquals(4, found().physicalVolumes()));
        add(
                "groups.extend",
                this::thick,
                () -> {
                    var more = Slices.devices(4, 6);
                    all.groups().extend(group, more, false);
                },
                () -> assertEquals(6, found().physicalVolumes()));
        add(
                "groups.reduce",
                () -> {
                    group();
                    disk = Now.device(lvm, Slices.device(3));
                },
                () -> all.groups().reduce(group, List.of(disk)),
                () -> {
                    assertEquals(3, found().physicalVolumes());
                    all.physicalVolumes().remove(disk);
                });
        add(
                "groups.remove",
                this::group,
                () -> all.groups().remove(group),
                () -> assertTrue(all.groups().find(VG).isEmpty()));
        add(
                "groups.changeTags",
                this::thick,
                () -> lvm.groups().changeTags(group, Set.of("more"), Set.of("lab")),
                () -> assertEquals(Set.of("more"), found().tags()));
        add(
                "groups.deactivate",
                this::thin,
                () -> lvm.groups().deactivate(group),
                () -> assertFalse(data().active()));
        add(
                "groups.exportGroup",
                this::group,
                () -> lvm.groups().exportGroup(group),
                () -> assertTrue(found().exported()));
        add(
                "groups.importGroup",
                () -> {
                    group();
                    lvm.groups().exportGroup(group);
                },
                () -> lvm.groups().importGroup(group),
                () -> assertFalse(found().exported()));
    }

    private VolumeGroup found() throws Exception {
        return all.groups().find(VG).orElseThrow();
    }

    private void physicalVolumes() {
        var request = new NewPhysicalVolume(Slices.device(0), MIB, false);
        add(
                "physicalVolumes.create",
                () -> lvm = all,
                () -> all.physicalVolumes().create(request),
                () -> assertTrue(all.physicalVolumes().find(Slices.device(0)).isPresent()));
        add(
                "physicalVolumes.remove",
                () -> {
                    all.physicalVolumes().create(request);
                    disk = Now.device(all, Slices.device(0));
                },
                () -> all.physicalVolumes().remove(disk),
                () -> assertTrue(all.physicalVolumes().find(Slices.device(0)).isEmpty()));
        add(
                "physicalVolumes.resize",
                () -> {
                    thick();
                    disk = Now.device(all, Slices.device(0));
                },
                () -> all.physicalVolumes().resize(disk),
                this::intact);
        add(
                "physicalVolumes.move",
                () -> {
                    thick();
                    disk = Now.device(lvm, Slices.device(0));
                },
                () ->
                        lvm.physicalVolumes()
                                .move(
                                        new PhysicalVolumeMove(disk, Slices.devices(1, 2)),
                                        MoveProgress.NONE),
                this::intact);
    }
}
