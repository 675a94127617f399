package lvms.node.doctor;

import lvms.lvm2.LvmOptions;
import lvms.lvm2.system.Program;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A program that runs where LVM runs: in the host's namespaces, or in ours. */
record HostProgram(LvmOptions options, List<String> words) {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    /** A command of LVM. */
    static HostProgram lvm(LvmOptions options, String... words) {
        return of(options, options.execCommand(), words);
    }

    /** Any other program. */
    static HostProgram of(LvmOptions options, String... words) {
        var lvm = options.execCommand();
        return of(options, lvm.subList(0, lvm.size() - 1), words);
    }

    private static HostProgram of(LvmOptions options, List<String> prefix, String... words) {
        return new HostProgram(options, Stream.concat(prefix.stream(), Stream.of(words)).toList());
    }

    /** Runs it for ten seconds at most. */
    Program.Result run(int maxBytes) throws IOException, TimeoutException, InterruptedException {
        var environment = new LinkedHashMap<>(Map.of("LVM_SUPPRESS_FD_WARNINGS", "1"));
        options.systemDir().ifPresent(dir -> environment.put("LVM_SYSTEM_DIR", dir.toString()));
        return new Program(words, DEADLINE, maxBytes, environment).run();
    }
}
