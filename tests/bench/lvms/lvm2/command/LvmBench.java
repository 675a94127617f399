package lvms.lvm2.command;

import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.Now;
import lvms.lvm2.system.Program;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Measures calls of the library by worker and by exec beside the {@code lvm} program started by a
 * shell, on the machine where it runs. Arguments: {@code active} or {@code metadata}, which is
 * without a device-mapper; numbers of volumes; runs; devices.
 */
final class LvmBench {
    static final String VG = "lvms-bench";
    private static final long EXTENT = 4L << 20;
    private static final int ROUNDS = 3;
    private static final int WARM_UP = 30;
    private static final long PAUSE_MILLIS = 5;

    private final List<BenchSubject> subjects;
    private final int runs;
    private final Map<String, BenchRow> rows = new LinkedHashMap<>();
    private int volumes;
    private int made;

    private LvmBench(List<BenchSubject> subjects, int runs) {
        this.subjects = subjects;
        this.runs = runs;
    }

    public static void main(String[] args) throws Exception {
        measure(args);
    }

    /** Does what {@code main} does, and returns the rows by their calls and numbers of volumes. */
    static Map<String, BenchRow> measure(String... args) throws Exception {
        boolean active = args[0].equals("active");
        var numbers = Stream.of(args[1].split(",")).map(Integer::valueOf).toList();
        var devices = Arrays.stream(args).skip(3).map(Path::of).toList();
        var folder = Files.createTempDirectory("lvms-bench");
        var subjects = BenchSubject.all(folder, active, devices);
        try {
            var bench = new LvmBench(subjects, Integer.parseInt(args[2]));
            var first = subjects.getFirst().worker();
            first.groups().create(new NewVolumeGroup(VG, devices, Set.of()));
            bench.run(numbers);
            remove(folder, devices);
            return bench.rows;
        } finally {
            for (var subject : subjects) {
                subject.close();
            }
        }
    }

    private static void remove(Path folder, List<Path> devices) throws Exception {
        var words = new String[] {"vgremove", "-q", "-y", "-f", VG};
        var lvm = Program.of(Duration.ofMinutes(5), words);
        new Program(lvm.command(), lvm.deadline(), 1 << 20, BenchSubject.environment(folder, false))
                .run();
        for (var device : devices) {
            Program.of(Duration.ofMinutes(1), "wipefs", "-q", "-a", device.toString()).run();
        }
    }

    private void run(List<Integer> numbers) throws Exception {
        fill(numbers.getFirst());
        for (var subject : subjects) {
            warm(subject.worker());
            warm(subject.exec());
        }
        System.out.println(BenchRow.HEAD);
        for (int number : numbers) {
            fill(number);
            for (var subject : subjects) {
                reports(subject, "", 0);
                reports(subject, ", " + PAUSE_MILLIS + " ms apart", PAUSE_MILLIS);
                changes(subject);
            }
        }
        for (var subject : subjects) {
            System.out.println(subject + ", workers: " + subject.memory());
        }
    }

    /** A server has run for long: what its JVM compiles first is not what is measured. */
    private static void warm(Lvm lvm) throws Exception {
        for (int i = 0; i < WARM_UP; i++) {
            lvm.groups().find(VG);
            lvm.volumes().all(VG);
            lvm.groups().report(VG);
        }
    }

    private void fill(int number) throws Exception {
        while (volumes < number) {
            subjects.getFirst().create("b" + volumes++);
        }
    }

    private interface Call {
        Object make(Lvm lvm) throws Exception;
    }

    private void reports(BenchSubject subject, String how, long pauseMillis) throws Exception {
        print(subject, "vgs" + how, pauseMillis, lvm -> lvm.groups().find(VG));
        print(subject, "lvs" + how, pauseMillis, lvm -> lvm.volumes().all(VG));
        print(subject, "fullreport" + how, pauseMillis, lvm -> lvm.groups().report(VG));
    }

    private void print(BenchSubject subject, String what, long pauseMillis, Call call)
            throws Exception {
        var row = row(subject, what, pauseMillis);
        for (int round = 0; round < ROUNDS; round++) {
            subject.engine().reset();
            row.worker(runs, () -> call.make(subject.worker()));
            row.library(subject.engine());
            row.exec(runs, () -> call.make(subject.exec()));
            row.raw(runs, subject.raw(subject.engine().lastWords(), runs));
        }
        System.out.println(row);
    }

    private BenchRow row(BenchSubject subject, String what, long pauseMillis) {
        var row = new BenchRow(subject + ", " + what, volumes, pauseMillis);
        rows.put("%s, %s of %d volumes".formatted(subject, what, volumes), row);
        return row;
    }

    /** Each call on volumes of its own; the raw program repeats the words of the call's change. */
    private void changes(BenchSubject subject) throws Exception {
        var create = row(subject, "create", 0);
        var extend = row(subject, "extend", 0);
        var tag = row(subject, "tag", 0);
        var remove = row(subject, "remove", 0);
        for (int round = 0; round < ROUNDS; round++) {
            for (boolean worker : List.of(true, false)) {
                var lvm = worker ? subject.worker() : subject.exec();
                int from = made;
                made += runs;
                change(
                        create,
                        worker,
                        from,
                        name -> lvm.volumes().createThick(thick(name)),
                        subject);
                change(
                        extend,
                        worker,
                        from,
                        name -> lvm.volumes().extend(Now.volume(lvm, name), 2 * EXTENT),
                        subject);
                change(tag, worker, from, name -> tagged(lvm, name), subject);
                change(remove, worker, from, name -> remove(lvm, name), subject);
            }
            create.raw(runs, subject.rawChanges(runs, subject.createWords("#")));
            extend.raw(runs, subject.rawChanges(runs, subject.extendWords("#")));
            tag.raw(runs, subject.rawChanges(runs, subject.tagWords("#")));
            remove.raw(runs, subject.rawChanges(runs, subject.removeWords("#")));
        }
        Stream.of(create, extend, tag, remove).forEach(System.out::println);
    }

    private interface Change {
        Object make(LvName name) throws Exception;
    }

    private void change(BenchRow row, boolean worker, int from, Change change, BenchSubject subject)
            throws Exception {
        var next = new int[] {from};
        subject.engine().reset();
        BenchRow.Run run = () -> change.make(new LvName(VG, "c" + next[0]++));
        if (worker) {
            row.worker(runs, run);
            row.library(subject.engine());
        } else {
            row.exec(runs, run);
        }
    }

    private static NewThickVolume thick(LvName name) {
        return new NewThickVolume(name, EXTENT, Set.of());
    }

    /** As a volume that gets its filesystem does. */
    private static Object tagged(Lvm lvm, LvName name) throws Exception {
        return lvm.volumes().changeTags(Now.volume(lvm, name), Set.of("bench"), Set.of());
    }

    private static Object remove(Lvm lvm, LvName name) throws Exception {
        lvm.volumes().remove(Now.volume(lvm, name));
        return name;
    }
}
