package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.ThinPoolUsage;
import lvms.lvm2.engine.CommandWatch;
import lvms.lvm2.lock.GroupLocks;
import lvms.lvm2.report.KnownColumns;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Random arguments through every method of {@link Lvm}, and of what it returns: they are refused
 * before any change, or each is one word, or part of one, where LVM cannot take it for an option.
 * {@code -Dlvms.fuzz.seed=N} repeats a run; a new method is covered by itself.
 */
@Timeout(300)
@LinuxOnly
class LvmFuzzTests {
    /** How many calls of each method are to get as far as a command, and how many are tried. */
    private static final int ACCEPTED = Boolean.getBoolean("lvms.full") ? 2_000 : 50;

    private static final int TRIED = 30 * ACCEPTED;

    /** Options after which the next word is a value, whatever it looks like: getopt_long(3). */
    private static final Set<String> TAKE_VALUE =
            Set.of(
                    "--addtag",
                    "--deltag",
                    "-n",
                    "--name",
                    "--thinpool",
                    "--devices",
                    "--delpvid",
                    "--config",
                    "--uuid",
                    "--restorefile",
                    "-S",
                    "--select",
                    "--vgname");

    /** Commands for which {@code PATH:0-9} is a range of extents. */
    private static final Set<String> TAKE_EXTENTS =
            Set.of("pvmove", "lvcreate", "lvextend", "lvresize", "lvconvert");

    /** They run no command of LVM. */
    private static final Set<String> NO_COMMANDS =
            Set.of(
                    "watchdogObstacle",
                    "engine",
                    "close",
                    "limitedTo",
                    "onCommand",
                    "groups.unfinished",
                    "groups.mend");

    /** They change nothing, or only what is rarely there; of the others a change is expected. */
    private static final Set<String> READS =
            Set.of(
                    "groups.all",
                    "groups.find",
                    "groups.report",
                    "groups.reports",
                    "groups.restoreMissing",
                    "physicalVolumes.all",
                    "physicalVolumes.find",
                    "pools.find",
                    "pools.check",
                    "volumes.all",
                    "volumes.find",
                    "volumes.identify",
                    "volumes.wipeSignatures",
                    "raid.find",
                    "raid.all");

    private final long seed = Long.getLong("lvms.fuzz.seed", System.nanoTime());
    private final FuzzArguments arguments = new FuzzArguments(seed);
    private final FuzzEngine engine = new FuzzEngine(seed);
    private long commands;

    /** A device-mapper without devices. */
    private static final class NoDevices implements DeviceMapper {
        @Override
        public boolean available() {
            return false;
        }

        @Override
        public List<Device> list() {
            return List.of();
        }

        @Override
        public Optional<State> state(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<ThinPoolUsage> thinPool(LvName pool) {
            return Optional.empty();
        }

        @Override
        public List<String> suspended() {
            return List.of();
        }
    }

    private Lvm lvm(DeviceScope scope) {
        var commands =
                new CommandRunner(engine, engine, LvmOptions.defaults(), scope, new KnownColumns());
        var kernel = new KernelView(new NoDevices(), false);
        var mending = new Mending(commands, kernel, ConcurrentHashMap.newKeySet());
        return new LvmCommands(
                new MendingRunner(commands, mending, new GroupLocks(Duration.ofSeconds(30))),
                new CommandWatch());
    }

    private static List<Method> entries(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getDeclaringClass() != Object.class)
                .sorted((a, b) -> a.toGenericString().compareTo(b.toGenericString()))
                .toList();
    }

    /** The methods of the library, and of the interfaces of this package that they return. */
    private static List<List<Method>> paths() {
        var paths = new ArrayList<List<Method>>();
        for (var method : entries(Lvm.class)) {
            var returned = method.getReturnType();
            boolean nested =
                    returned.isInterface()
                            && !returned.isSealed()
                            && returned.getPackage().equals(Lvm.class.getPackage())
                            && returned != Lvm.class;
            if (nested) {
                entries(returned).forEach(inner -> paths.add(List.of(method, inner)));
            } else {
                paths.add(List.of(method));
            }
        }
        return paths;
    }

    private static String name(List<Method> path) {
        return path.stream().map(Method::getName).collect(Collectors.joining("."));
    }

    @Test
    void noArgumentBecomesAnOption() throws Exception {
        System.out.println("fuzz seed: " + seed);
        var refused = new TreeSet<String>();
        for (var path : paths()) {
            var name = name(path);
            commands = 0;
            int accepted = 0;
            for (int tried = 0; tried < TRIED && accepted < ACCEPTED; tried++) {
                accepted += call(path) ? 1 : 0;
            }
            if (commands == 0 && !NO_COMMANDS.contains(name)) {
                refused.add(name);
            } else if (accepted == 0 && !NO_COMMANDS.contains(name)) {
                System.out.println("no call of " + name + " got as far as a change");
            }
        }
        assertEquals(Set.of(), refused, "no call got as far as a command, seed " + seed);
    }

    /**
     * Returns whether it got as far as a command; as far as a change if it is to change something.
     */
    private boolean call(List<Method> path) throws Exception {
        engine.forget();
        Object[] given = {};
        try {
            Object target = lvm(scope());
            for (var method : path) {
                given = arguments.of(method.getGenericParameterTypes());
                engine.holds(arguments.lastPath(), given);
                method.setAccessible(true);
                target = method.invoke(target, given);
            }
        } catch (InvocationTargetException e) {
            judgeFailure(path.getLast(), given, e.getCause());
        } catch (IllegalArgumentException e) {
            // a record refused it
        }
        for (var words : engine.commands()) {
            judge(words, path.getLast(), given);
        }
        commands += engine.commands().size();
        boolean reads = READS.contains(name(path));
        return !(reads ? engine.commands() : engine.changes()).isEmpty();
    }

    private DeviceScope scope() throws Exception {
        return arguments.next(2) == 0
                ? new DeviceScope.Configured()
                : DeviceScope.only(List.of(Path.of("/dev/scope")));
    }

    private void judgeFailure(Method method, Object[] given, Throwable failure) {
        switch (failure) {
            case LvmException _ -> {}
            case IllegalArgumentException e ->
                    assertTrue(
                            engine.changes().isEmpty(),
                            () -> story(method, given) + " was refused after a change: " + e);
            default -> fail(story(method, given) + " failed", failure);
        }
    }

    private void judge(List<String> words, Method method, Object[] given) {
        var command = words.getFirst();
        assertTrue(command.matches("[a-z]+"), () -> story(method, given) + " ran " + words);
        for (int i = 1; i < words.size(); i++) {
            var word = words.get(i);
            if (word.contains(FuzzArguments.MARK)) {
                var problem = problem(command, words.get(i - 1), word);
                assertTrue(
                        problem.isEmpty(),
                        () -> story(method, given) + problem.orElse("") + ": " + words);
            }
        }
    }

    private Optional<String> problem(String command, String before, String word) {
        boolean printable = word.chars().allMatch(c -> c > ' ' && c < 0x7f);
        if (!printable || word.length() > 4096) {
            return Optional.of(" passed on what is no word");
        }
        boolean value = TAKE_VALUE.contains(before);
        if (value || arguments.isAllowedOption(word)) {
            return Optional.empty();
        }
        if (word.startsWith("-") || word.startsWith("@") || word.startsWith("#")) {
            return Optional.of(" passed on an option, a tag or a comment");
        }
        boolean range =
                TAKE_EXTENTS.contains(command) && word.startsWith("/dev") && word.contains(":");
        return range ? Optional.of(" passed on a range of extents") : Optional.empty();
    }

    private String story(Method method, Object[] given) {
        return "seed " + seed + ": " + method.getName() + Arrays.deepToString(given);
    }
}
