package lvms.lvm2.command;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.engine.Command;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.engine.Engine;
import lvms.lvm2.engine.LvmConf;
import lvms.lvm2.engine.LvmVersion;
import lvms.lvm2.engine.Reply;
import lvms.lvm2.report.CommandOutput;
import lvms.lvm2.report.FailureKind;
import lvms.lvm2.report.KnownColumns;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * Runs a command with what all commands share: the devices it may see, the settings, its deadline,
 * waiting for LVM's lock, and what a failure means. Changes go through {@link MendingRunner}.
 *
 * @param engine for all but long commands
 * @param longRunning for commands that copy data
 * @param options the options LVM was opened with
 * @param scope devices that commands may see
 * @param columns which report columns this LVM has
 */
record CommandRunner(
        Engine engine,
        Engine longRunning,
        LvmOptions options,
        DeviceScope scope,
        KnownColumns columns) {
    private static final String CONFIG = "--config";
    private static final System.Logger LOG = System.getLogger(CommandRunner.class.getName());
    private static final String COLUMNS = "-o";
    private static final int SECTOR = 4096;

    /** Commands that take something away from a group's metadata. */
    private static final Set<String> DESTRUCTIVE =
            Set.of("lvremove", "lvreduce", "lvconvert", "vgreduce", "vgremove");

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    /**
     * How many times to run a command that fails without a message; the pauses add up to a second.
     */
    private static final int MOST_SILENT = 6;

    CommandRunner within(DeviceScope devices) {
        return new CommandRunner(engine, longRunning, options, devices, columns);
    }

    /** Runs a report with these columns. */
    CommandOutput report(String command, String columns, List<String> arguments)
            throws LvmException, InterruptedException {
        var words = new ArrayList<>(reporting(command));
        words.addAll(List.of(COLUMNS, columns));
        words.addAll(arguments);
        return report(words);
    }

    /** Runs a report without the columns that this LVM does not have. */
    CommandOutput report(List<String> words) throws LvmException, InterruptedException {
        while (true) {
            try {
                return run(Effect.READ, withKnownColumns(words));
            } catch (LvmException.CommandFailed e) {
                if (!columns.learn(e.errors())) {
                    throw e;
                }
                LOG.log(
                        Level.INFO,
                        "this LVM does not know a column; its values stay empty: "
                                + e.getMessage());
            }
        }
    }

    private List<String> withKnownColumns(List<String> words) {
        var known = new ArrayList<>(words);
        for (int i = 1; i < known.size(); i++) {
            if (known.get(i - 1).equals(COLUMNS)) {
                known.set(i, columns.of(known.get(i)));
            }
        }
        return known;
    }

    /** The start of every report. */
    static List<String> reporting(String command) {
        return List.of(command, "--reportformat", "json", "--units", "b", "--nosuffix");
    }

    /** Runs a command; its first word is its name. Returns only on success. */
    CommandOutput run(Effect effect, List<String> words) throws LvmException, InterruptedException {
        var command = new Command(effect, complete(effect, words), options.deadlines());
        long deadline = System.nanoTime() + options.lockWait().toNanos();
        var pause = FIRST_PAUSE;
        for (int times = 1; ; times++) {
            var reply = (effect == Effect.LONG ? longRunning : engine).run(command);
            var output = output(command, reply);
            if (reply.status() == 0) {
                LOG.log(Level.DEBUG, () -> "command done command=\"" + command + '"');
                return output;
            }
            var failure =
                    seen(FailureKind.exception(command, reply, output.errors()), output.errors());
            boolean busy =
                    failure instanceof LvmException.LockBusy
                            || times < MOST_SILENT
                                    && FailureKind.isSilent(command, reply, output.errors());
            if (!busy || System.nanoTime() >= deadline) {
                throw failure;
            }
            Thread.sleep(jittered(pause));
            pause = longer(pause);
        }
    }

    /** A group that is not found may be on a device that is away, or that gives no answer. */
    private LvmException seen(LvmException failure, List<String> errors) {
        if (!(failure instanceof LvmException.NotFound)
                || !(scope instanceof DeviceScope.Only(var devices))
                || FailureKind.readTheGroup(errors)) {
            return failure;
        }
        return devices.stream()
                .filter(device -> !readable(device))
                .findFirst()
                .<LvmException>map(
                        device ->
                                new LvmException.Unreadable(
                                        "%s; device %s cannot be read"
                                                .formatted(failure.getMessage(), device)))
                .orElse(failure);
    }

    private static boolean readable(Path device) {
        try (var channel = FileChannel.open(device)) {
            return channel.read(ByteBuffer.allocate(SECTOR)) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static Duration longer(Duration pause) {
        var twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    /** A report that was cut short must not look like an empty one. */
    private static CommandOutput output(Command command, Reply reply) throws LvmException {
        try {
            return command.effect() == Effect.READ && reply.status() == 0
                    ? CommandOutput.ofReport(reply)
                    : CommandOutput.of(reply);
        } catch (IllegalArgumentException e) {
            if (command.effect() == Effect.READ) {
                throw new LvmException.Unavailable(command + ": " + e.getMessage(), e);
            }
            return CommandOutput.withoutLog(reply); // the status alone says how a change ended
        }
    }

    /** How a command ended, and what it said if it failed. */
    record Attempt(int status, List<String> errors) {}

    /** Runs a command once, whatever its status. */
    Attempt attempt(Effect effect, List<String> words) throws LvmException, InterruptedException {
        var command = new Command(effect, complete(effect, words), options.deadlines());
        var reply = engine.run(command);
        return new Attempt(reply.status(), output(command, reply).errors());
    }

    private List<String> complete(Effect effect, List<String> words) {
        var all = new ArrayList<String>();
        all.add(words.getFirst());
        var settings = new ArrayList<String>();
        if (scope instanceof DeviceScope.Only(var devices)) {
            if (version().filter(v -> !v.atLeast(2, 3, 12)).isPresent()) {
                settings.add(LvmConf.filter(devices));
            } else if (!words.getFirst().equals("lvmdevices")) {
                all.addAll(List.of("--devices", joined(devices))); // one word: a line may have 63
            }
        }
        if (effect != Effect.READ) {
            settings.add(LvmConf.WITHOUT_LOG);
        }
        if (options.systemDir().isPresent() && DESTRUCTIVE.contains(words.getFirst())) {
            settings.add(LvmConf.ARCHIVE);
        }
        var rest = new ArrayList<>(words.subList(1, words.size()));
        int own = rest.indexOf(CONFIG); // LVM takes the option once
        if (own >= 0) {
            rest.remove(own);
            settings.add(rest.remove(own));
        }
        if (options.systemDir().isEmpty()) {
            all.addAll(List.of(CONFIG, LvmConf.perCommand(settings)));
        } else if (!settings.isEmpty()) {
            all.addAll(List.of(CONFIG, String.join(" ", settings)));
        }
        all.addAll(rest);
        return all;
    }

    private static String joined(List<Path> devices) {
        return devices.stream().map(Path::toString).collect(Collectors.joining(","));
    }

    /**
     * Words that keep an activation from continuing merges and moves: without lvmpolld LVM forks
     * for that, and in a worker it would fork the whole JVM. Where nothing is activated, LVM
     * refuses these words.
     */
    List<String> withoutPolling() {
        boolean forks = options.systemDir().isPresent() && options.activation();
        return forks ? List.of("--poll", "n") : List.of();
    }

    /** Returns the words that activate a volume, even one that is marked to be skipped. */
    List<String> activation(Identity<LvName> volume) {
        return activation(List.of(volume));
    }

    /** The same for several volumes of a group. */
    List<String> activation(Collection<Identity<LvName>> volumes) {
        var words = new ArrayList<>(List.of("lvchange", "-y", "-ay", "-K"));
        words.addAll(withoutPolling());
        words.addAll(Words.only(volumes));
        return words;
    }

    /** Returns the version of LVM; empty if it could not be read. */
    Optional<LvmVersion> version() {
        return LvmVersion.ofText(engine.status().lvmVersion());
    }

    private static Duration jittered(Duration pause) {
        return pause.multipliedBy(ThreadLocalRandom.current().nextLong(50, 150)).dividedBy(100);
    }
}
