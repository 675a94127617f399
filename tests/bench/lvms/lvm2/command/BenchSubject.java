package lvms.lvm2.command;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.engine.Command;
import lvms.lvm2.engine.CommandWatch;
import lvms.lvm2.engine.ExecEngine;
import lvms.lvm2.engine.LvmConf;
import lvms.lvm2.engine.WorkerEngine;
import lvms.lvm2.engine.WorkerLaunch;
import lvms.lvm2.lock.GroupLocks;
import lvms.lvm2.report.KnownColumns;
import lvms.lvm2.system.Program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The library with one configuration of LVM, by both engines, and the program with the same.
 *
 * @param name of the configuration
 * @param environment of LVM
 * @param workers the engine behind {@code engine}
 */
record BenchSubject(
        String name,
        boolean active,
        List<Path> devices,
        Map<String, String> environment,
        WorkerEngine workers,
        TimedEngine engine,
        Lvm worker,
        Lvm exec) {
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    /**
     * Without asynchronous I/O by a configuration of ours, and LVM's default by the machine's: with
     * workers that do without it all the same, and with workers that follow it.
     */
    static List<BenchSubject> all(Path folder, boolean active, List<Path> devices)
            throws Exception {
        return List.of(
                open(folder, false, true, active, devices),
                open(folder, true, false, active, devices),
                open(folder, true, true, active, devices));
    }

    private static BenchSubject open(
            Path folder, boolean aio, boolean configuredIo, boolean active, List<Path> devices)
            throws Exception {
        var environment = environment(folder, aio);
        var home = Path.of(environment.get("LVM_SYSTEM_DIR"));
        var options = LvmOptions.defaults().withSystemDir(home, false, active);
        LvmConf.write(home, false, active);
        if (aio) { // the machine's own file, so our settings come with each command
            var file = home.resolve("lvm.conf");
            Files.writeString(file, Files.readString(file).replace("use_aio=0", "use_aio=1"));
            options = machines(options);
        }
        var program = new ExecEngine(List.of("lvm"), environment, "bench").tested();
        var launch =
                new WorkerLaunch(
                        Path.of(System.getProperty("java.home")),
                        OptionalLong.empty(),
                        environment,
                        Optional.empty(),
                        folder,
                        !configuredIo);
        var workers = WorkerEngine.start(launch, program, 3, Duration.ofMinutes(5));
        var timed = new TimedEngine(workers);
        return new BenchSubject(
                aio ? (configuredIo ? "use_aio=1, as configured" : "use_aio=1") : "use_aio=0",
                active,
                devices,
                environment,
                workers,
                timed,
                lvm(timed, options, devices),
                lvm(new TimedEngine(program), options, devices));
    }

    private static LvmOptions machines(LvmOptions o) {
        return new LvmOptions(
                o.engine(),
                o.execCommand(),
                o.hostPid(),
                Optional.empty(),
                o.udev(),
                o.activation(),
                o.workers(),
                o.idleAfter(),
                o.lockWait(),
                o.deadlines(),
                o.aotCache(),
                o.workerFolder(),
                o.configuredIo());
    }

    private static Lvm lvm(TimedEngine engine, LvmOptions options, List<Path> devices) {
        var scope = DeviceScope.only(devices);
        var commands = new CommandRunner(engine, engine, options, scope, new KnownColumns());
        var kernel = new KernelView(DeviceMapper.system(), options.activation());
        var mending = new Mending(commands, kernel, ConcurrentHashMap.newKeySet());
        return new LvmCommands(
                new MendingRunner(commands, mending, new GroupLocks(Duration.ofSeconds(30))),
                new CommandWatch());
    }

    static Map<String, String> environment(Path folder, boolean aio) {
        var home = folder.resolve(aio ? "aio" : "sync").toString();
        return Map.of("LC_ALL", "C", "LVM_SUPPRESS_FD_WARNINGS", "1", "LVM_SYSTEM_DIR", home);
    }

    /** Makes a volume that stays. */
    void create(String lv) throws Exception {
        var reply = engine.run(new Command(Command.Effect.CHANGE, createWords(lv)));
        if (reply.status() != 0) {
            throw new IllegalStateException(reply.toString());
        }
    }

    List<String> createWords(String lv) {
        var words = new ArrayList<>(List.of("lvcreate", "-q", "-y"));
        words.addAll(active ? List.of("-Wy", "-Zy") : List.of("-an", "-Wn", "-Zn"));
        words.addAll(scope());
        words.addAll(List.of("-l", "1", "-n", lv, LvmBench.VG));
        return words;
    }

    List<String> extendWords(String lv) {
        var words = new ArrayList<>(List.of("lvextend", "-q", "-y"));
        words.addAll(scope());
        words.addAll(List.of("-l", "2", LvmBench.VG + "/" + lv));
        return words;
    }

    List<String> tagWords(String lv) {
        var words = new ArrayList<>(List.of("lvchange", "-q", "-y", "--addtag", "bench"));
        words.addAll(scope());
        words.add(LvmBench.VG + "/" + lv);
        return words;
    }

    List<String> removeWords(String lv) {
        var words = new ArrayList<>(List.of("lvremove", "-q", "-y"));
        words.addAll(scope());
        words.add(LvmBench.VG + "/" + lv);
        return words;
    }

    private List<String> scope() {
        var joined = devices.stream().map(Path::toString).collect(Collectors.joining(","));
        return List.of("--devices", joined);
    }

    /** Returns a shell that runs the program with these words, so often. */
    BenchRow.Run raw(List<String> words, int runs) throws IOException {
        return shell(IntStream.range(0, runs).mapToObj(_ -> words).toList());
    }

    /** The same with another volume each time, in place of a number sign. */
    BenchRow.Run rawChanges(int runs, List<String> words) throws IOException {
        return shell(
                IntStream.range(0, runs)
                        .mapToObj(i -> words.stream().map(w -> w.replace("#", "r" + i)).toList())
                        .toList());
    }

    private BenchRow.Run shell(List<List<String>> commands) throws IOException {
        var script = Files.createTempFile("lvms-bench", ".sh");
        var lines =
                commands.stream()
                        .map(
                                words ->
                                        words.stream()
                                                .map(word -> "'" + word + "'")
                                                .collect(Collectors.joining(" ")))
                        .map(words -> "lvm " + words + " >/dev/null || exit 1\n")
                        .collect(Collectors.joining());
        Files.writeString(script, lines);
        var program = new Program(List.of("sh", script.toString()), DEADLINE, 1 << 16, environment);
        return () -> {
            var result = program.run();
            if (!result.succeeded()) {
                throw new IllegalStateException(result.toString());
            }
            return Files.deleteIfExists(script);
        };
    }

    /** Returns resident and anonymous memory of each worker. */
    String memory() throws IOException {
        var all = new ArrayList<String>();
        for (long pid : workers.idleWorkers()) {
            try (var lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
                all.add(
                        lines.filter(line -> line.startsWith("VmRSS") || line.startsWith("RssAnon"))
                                .map(line -> line.replaceAll("\\s+", " "))
                                .collect(Collectors.joining(", ")));
            }
        }
        return String.join("; ", all);
    }

    void close() {
        workers.close();
    }

    @Override
    public String toString() {
        return name;
    }
}
