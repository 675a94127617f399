package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.launcher.command.Command;
import lvms.launcher.flag.Environment;
import lvms.launcher.flag.Flag;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Manifests of TopoLVM start our programs: every name, flag and default of TopoLVM 0.41 is there.
 */
class TopolvmProgramsTests {
    private static final String COMMON =
            "add_dir_header alsologtostderr log_backtrace_at log_dir log_file log_file_max_size"
                    + " logtostderr one_output profiling-bind-address skip_headers skip_log_headers"
                    + " stderrthreshold v version vmodule zap-devel zap-encoder zap-log-level"
                    + " zap-stacktrace-level zap-time-encoding";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) throws InterruptedException {
        return Main.run(List.of(arguments), new PrintStream(out, true), new PrintStream(err, true));
    }

    private static Command command(String name) {
        return Main.COMMANDS.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
    }

    /** What the program of TopoLVM lists with {@code --help}. */
    static Stream<String> flagsOf(String program) {
        var own =
                switch (program) {
                    case "topolvm-controller" ->
                            COMMON
                                    + " cert-dir csi-socket enable-webhooks"
                                    + " health-probe-bind-address leader-election"
                                    + " leader-election-id leader-election-lease-duration"
                                    + " leader-election-namespace leader-election-renew-deadline"
                                    + " leader-election-retry-period metrics-bind-address"
                                    + " minimum-allocation-block minimum-allocation-btrfs"
                                    + " minimum-allocation-ext4 minimum-allocation-xfs"
                                    + " secure-metrics-server skip-node-finalize webhook-addr";
                    case "topolvm-node" ->
                            COMMON
                                    + " config csi-socket embed-lvmd lvm-path lvmd-socket"
                                    + " metrics-bind-address nodename secure-metrics-server";
                    case "lvmd" -> COMMON + " config lvm-path metrics-bind-address";
                    case "topolvm-scheduler" -> "config v version";
                    default -> throw new AssertionError(program);
                };
        return Arrays.stream(own.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lvmd", "topolvm-controller", "topolvm-node", "topolvm-scheduler"})
    void everyFlagIsTaken(String program) {
        var ours = command(program).flags().stream().map(Flag::name).collect(Collectors.toSet());
        var missing = flagsOf(program).filter(name -> !ours.contains(name)).toList();
        assertEquals(List.of(), missing);
    }

    @ParameterizedTest(name = "{0} --{1}")
    @CsvSource({
        "lvmd, config, /etc/topolvm/lvmd.yaml",
        "lvmd, lvm-path, ''",
        "lvmd, metrics-bind-address, :8080",
        "lvmd, profiling-bind-address, ''",
        "topolvm-controller, csi-socket, /run/topolvm/csi-topolvm.sock",
        "topolvm-controller, metrics-bind-address, :8080",
        "topolvm-controller, secure-metrics-server, false",
        "topolvm-controller, health-probe-bind-address, :8081",
        "topolvm-controller, webhook-addr, :9443",
        "topolvm-controller, enable-webhooks, true",
        "topolvm-controller, cert-dir, ''",
        "topolvm-controller, leader-election, true",
        "topolvm-controller, leader-election-id, topolvm",
        "topolvm-controller, leader-election-namespace, ''",
        "topolvm-controller, leader-election-lease-duration, 15s",
        "topolvm-controller, leader-election-renew-deadline, 10s",
        "topolvm-controller, leader-election-retry-period, 2s",
        "topolvm-controller, skip-node-finalize, false",
        "topolvm-controller, profiling-bind-address, ''",
        "topolvm-controller, minimum-allocation-block, 8Mi",
        "topolvm-controller, minimum-allocation-ext4, 32Mi",
        "topolvm-controller, minimum-allocation-xfs, 300Mi",
        "topolvm-controller, minimum-allocation-btrfs, 200Mi",
        "topolvm-node, csi-socket, /run/topolvm/csi-topolvm.sock",
        "topolvm-node, lvmd-socket, /run/topolvm/lvmd.sock",
        "topolvm-node, metrics-bind-address, :8080",
        "topolvm-node, secure-metrics-server, false",
        "topolvm-node, nodename, ''",
        "topolvm-node, embed-lvmd, false",
        "topolvm-node, lvm-path, ''",
        "topolvm-node, config, /etc/topolvm/lvmd.yaml",
        "topolvm-node, profiling-bind-address, ''",
        "topolvm-scheduler, config, ''"
    })
    void defaultsAreTheSame(String program, String flag, String value) {
        var found = command(program).flags().stream().filter(f -> f.name().equals(flag));
        assertEquals(List.of(value), found.map(Flag::fallback).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"lvmd", "topolvm-controller", "topolvm-node", "topolvm-scheduler"})
    void eachIsCalledInThreeWays(String program) throws Exception {
        assertEquals(0, run(program, "--version"));
        assertEquals(0, run("/usr/bin/" + program, "--version"));
        assertEquals(0, run("/hypertopolvm", program, "--version"));
        var lines = new TreeSet<>(out.toString().lines().toList());
        assertEquals(1, lines.size(), lines.toString());
        assertTrue(lines.first().startsWith(program + " version "), lines.toString());
        assertEquals("", err.toString());
    }

    @Test
    void theSchedulersShortFlagIsItsVersion() throws Exception {
        assertEquals(0, run("topolvm-scheduler", "-v"));
        assertTrue(out.toString().startsWith("topolvm-scheduler version "), out.toString());
    }

    @Test
    void theProbeOfLvmdIsReachedThroughTheOneProgram() throws Exception {
        assertEquals(1, run("/hypertopolvm", "lvmd", "health", "--config=/no/such/lvmd.yaml"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hypertopolvm", "/hypertopolvm operator", "/hypertopolvm --help"})
    void aProgramThatTopolvmDoesNotHaveIsAFailureWithTheList(String line) throws Exception {
        assertEquals(1, run(line.split(" ")));
        assertTrue(err.toString().startsWith("usage: hypertopolvm PROGRAM"), err.toString());
        assertTrue(err.toString().contains("topolvm-scheduler"), err.toString());
        assertEquals("", out.toString());
    }

    @ParameterizedTest
    @CsvSource({"true, topolvm.cybozu.com", "false, topolvm.cybozu.com", "'', topolvm.io"})
    void anyTextMeansTheOldNames(String value, String driver) {
        assertEquals(driver, new Environment(Map.of("USE_LEGACY", value)).driver().name());
        assertEquals("topolvm.io", new Environment(Map.of()).driver().name());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--leader-election-retry-period=2 | must be a time such as 15s or 1m30s",
                "--leader-election-lease-duration=5s | must exceed renew deadline PT10S",
                "--minimum-allocation-xfs=big | must be a size such as 32Mi",
                "--webhook-addr=here | must be host:port, :port, or 0 for none",
                "--webhook-addr=:here | the port here is neither a number",
                "--enable-webhooks=maybe | must be true or false"
            })
    void aFlagOfTheControllerThatCannotWorkIsOneLine(String flag, String complaint)
            throws Exception {
        assertEquals(2, run("topolvm-controller", flag));
        assertEquals(1, err.toString().lines().count(), err.toString());
        assertTrue(err.toString().contains(complaint), err.toString());
    }

    @Test
    void aNodeWithoutANameAndOneWithoutAPathOfLvmdSayWhatToDo() throws Exception {
        assertEquals(2, run("topolvm-node"));
        assertEquals(2, run("topolvm-node", "--nodename=n1", "--lvmd-socket=lvmd.sock"));
        var lines = err.toString().lines().toList();
        assertEquals(2, lines.size(), lines.toString());
        assertTrue(lines.getFirst().contains("give --nodename or set NODE_NAME"));
        assertTrue(lines.getLast().contains("must be an absolute path"));
    }

    @Test
    void aConfigurationOfTheSchedulerThatIsWrongIsOneLine(@TempDir Path folder) throws Exception {
        var file = folder.resolve("scheduler.yaml");
        assertEquals(2, run("topolvm-scheduler", "--config=" + file));
        Files.writeString(file, "default-divisor: 0\n");
        assertEquals(2, run("topolvm-scheduler", "--config", file.toString()));
        Files.writeString(file, "listen: here\n");
        assertEquals(2, run("topolvm-scheduler", "--config", file.toString()));
        assertEquals(
                List.of(
                        "lvms: "
                                + file
                                + " does not exist: write it, or name another one with --config",
                        "lvms: " + file + ": default-divisor: must be a number above 0",
                        "lvms: listen: here: must be host:port, :port, or 0 for none"),
                err.toString().lines().toList());
    }
}
