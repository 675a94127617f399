package lvms.lvm2.command;

import lvms.lvm2.Deadlines;
import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.ThinPool;
import lvms.lvm2.ThinPoolCheck;
import lvms.lvm2.ThinPoolCheck.Scope;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.system.Program;
import lvms.lvm2.system.Vigil.Whose;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Looks at a thin pool's metadata with thin_check, and has LVM repair it. */
record ThinPoolChecks(MendingRunner runner, Reads reads) {
    /** The JDK adds the number of the signal. */
    private static final int KILLED = 128;

    /** thin_check reads all of the metadata, up to 16 GiB; this is how long it may do nothing. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    ThinPoolChecks(MendingRunner runner) {
        this(runner, runner.reads());
    }

    ThinPoolCheck check(Identity<LvName> pool) throws LvmException, InterruptedException {
        Grammar.requireLvName(pool.name());
        try (var _ = runner.locks().change(pool.name().vg())) {
            return existing(pool).volume().active()
                    ? checkSnapshot(pool.name())
                    : checkWhole(pool.name());
        }
    }

    ThinPoolCheck repair(Identity<LvName> pool) throws LvmException, InterruptedException {
        Grammar.requireLvName(pool.name());
        try (var _ = runner.locks().change(pool.name().vg())) {
            if (existing(pool).volume().active()) {
                throw new LvmException.InUse(
                        "lvconvert --repair " + pool.name() + ": it is active");
            }
            var found = checkWhole(pool.name());
            if (found.sound()) {
                return found;
            }
            runner.run(
                    Effect.CHANGE, List.of("lvconvert", "-y", "--repair", pool.name().toString()));
            return checkWhole(pool.name());
        }
    }

    /**
     * LVM activates parts of an inactive pool read-only, and does not activate the pool meanwhile.
     */
    private ThinPoolCheck checkWhole(LvName pool) throws LvmException, InterruptedException {
        var metadata = metadata(pool);
        runner.run(Effect.CHANGE, List.of("lvchange", "-y", "-ay", metadata.toString()));
        try {
            return thinCheck(pool, Scope.WHOLE, List.of(device(metadata)));
        } finally {
            runner.run(Effect.CHANGE, List.of("lvchange", "-y", "-an", metadata.toString()));
        }
    }

    /**
     * The kernel keeps one such snapshot; an existing one is left over from a check that was cut
     * short.
     */
    private ThinPoolCheck checkSnapshot(LvName pool) throws LvmException, InterruptedException {
        var cut = runner.mending().cut();
        var check = List.of("thin_check", "--metadata-snap", pool.toString());
        try (var running = cut.begin(check)) {
            try {
                reserve(pool, cut.has(check));
            } catch (LvmException.InUse e) {
                running.ended(); // it leaves nothing
                throw e;
            }
            try {
                return thinCheck(
                        pool, Scope.SNAPSHOT, List.of("--metadata-snap", device(metadata(pool))));
            } finally {
                if (message(pool, "release_metadata_snap").succeeded()) {
                    cut.forget(check);
                    running.ended();
                }
            }
        } catch (IOException e) {
            throw new LvmException.Unavailable("cannot note that a check begins: " + e, e);
        }
    }

    /**
     * Another program's snapshot stays.
     *
     * @param ours whether a check of ours was cut, which has left its snapshot
     */
    private void reserve(LvName pool, boolean ours) throws LvmException, InterruptedException {
        var reserved = message(pool, "reserve_metadata_snap");
        if (!reserved.succeeded() && ours) {
            message(pool, "release_metadata_snap");
            reserved = message(pool, "reserve_metadata_snap");
        }
        if (!reserved.succeeded()) {
            throw new LvmException.InUse(
                    "no snapshot of the metadata of %s, another program may hold one: %s"
                            .formatted(pool, reserved.stderr().strip()));
        }
    }

    private ThinPoolCheck thinCheck(LvName pool, Scope scope, List<String> arguments)
            throws LvmException, InterruptedException {
        var words = Stream.concat(Stream.of("thin_check"), arguments.stream());
        var result = run(words.toArray(String[]::new));
        var messages =
                Stream.of(result.stdout(), result.stderr())
                        .flatMap(String::lines)
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .toList();
        return new ThinPoolCheck(pool, scope, result.succeeded(), messages);
    }

    private Program.Result message(LvName pool, String text)
            throws LvmException, InterruptedException {
        var layer = Grammar.deviceMapperName(pool) + "-tpool";
        var device = runner.kernel().exists(layer) ? layer : Grammar.deviceMapperName(pool);
        return run("dmsetup", "message", device, "0", text);
    }

    private static Program.Result run(String... command) throws LvmException, InterruptedException {
        try {
            var result =
                    Program.of(DEADLINE, command)
                            .runWhileWorking(Whose.ALL, Deadlines.DEFAULT.copy());
            if (result.status() > KILLED) { // that says nothing about the pool
                throw new LvmException.Unavailable(
                        String.join(" ", command) + ": killed, status " + result.status(), null);
            }
            return result;
        } catch (IOException | TimeoutException e) {
            throw new LvmException.Unavailable(String.join(" ", command), e);
        }
    }

    private ThinPool existing(Identity<LvName> pool) throws LvmException, InterruptedException {
        var found = existing(pool.name());
        pool.require(found.volume().uuid());
        return found;
    }

    private ThinPool existing(LvName pool) throws LvmException, InterruptedException {
        return reads.thinPool(pool)
                .orElseThrow(() -> new LvmException.NotFound(pool + ": no such thin pool"));
    }

    private static LvName metadata(LvName pool) {
        return new LvName(pool.vg(), pool.lv() + "_tmeta");
    }

    private static String device(LvName name) {
        return "/dev/mapper/" + Grammar.deviceMapperName(name);
    }
}
