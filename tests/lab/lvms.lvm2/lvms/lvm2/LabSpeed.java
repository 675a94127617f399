package lvms.lvm2;

import lvms.lvm2.device.DeviceMapper;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Set;

/** Prints what a call of the library costs beside the {@code lvm} program, in milliseconds. */
record LabSpeed(Lvm lvm) {
    private static final int RUNS = 10;
    private static final long SIZE = 16L << 20;

    private interface Call {
        Object make(int run) throws Exception;
    }

    void run() throws Exception {
        var pool = LabGuest.groupWithPool(lvm);
        lvm.volumes().createThin(new NewThinVolume(name("source"), "pool", SIZE, Set.of()));
        for (int round = 1; round <= 3; round++) { // the machine is shared: compare within a round
            thick();
            thin();
            print("lvs of one volume", i -> lvm.volumes().find(name("source")));
            raw("lvs of one volume", "lvs", "--reportformat", "json", "lab-vg/source");
            print("thin pool use", i -> DeviceMapper.system().thinPool(pool));
        }
        lvm.pools().removeWithVolumes(Now.volume(lvm, pool));
        lvm.groups().remove(Now.group(lvm, LabGuest.VG));
    }

    private void thick() throws Exception {
        print(
                "thick create",
                i ->
                        lvm.volumes()
                                .createThick(new NewThickVolume(name("v" + i), SIZE, Set.of("x"))));
        print("thick remove", i -> remove("v" + i));
        raw("thick create", "lvcreate -y -Wy -Zy -L 16m --addtag x -n v# lab-vg".split(" "));
        raw("thick remove", "lvremove", "-y", "lab-vg/v#");
    }

    private void thin() throws Exception {
        print(
                "thin create",
                i ->
                        lvm.volumes()
                                .createThin(
                                        new NewThinVolume(
                                                name("v" + i), "pool", SIZE, Set.of("x"))));
        print("thin remove", i -> remove("v" + i));
        raw("thin create", "lvcreate -y -V 16m -T lab-vg/pool --addtag x -n v#".split(" "));
        raw("thin remove", "lvremove", "-y", "lab-vg/v#");
    }

    private static LvName name(String lv) {
        return new LvName(LabGuest.VG, lv);
    }

    private Object remove(String lv) throws Exception {
        lvm.volumes().remove(Now.volume(lvm, name(lv)));
        return lv;
    }

    /** The program with the same configuration, by LVM_SYSTEM_DIR of this process. */
    private static void raw(String what, String... words) throws Exception {
        print(
                what + ", lvm program",
                run -> {
                    var command =
                            Arrays.stream(words)
                                    .map(word -> word.replace("#", Integer.toString(run)))
                                    .toList();
                    var all = new ArrayList<>(command);
                    all.add(0, "lvm");
                    return LabGuest.program(all.toArray(String[]::new));
                });
    }

    private static void print(String what, Call call) throws Exception {
        var times = new long[RUNS];
        for (int i = 0; i < RUNS; i++) {
            long start = System.nanoTime();
            call.make(i);
            times[i] = System.nanoTime() - start;
        }
        Arrays.sort(times);
        System.out.printf("%-40s %7.1f ms%n", what, times[RUNS / 2] / 1e6);
    }
}
