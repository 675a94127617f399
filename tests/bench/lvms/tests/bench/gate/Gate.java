package lvms.tests.bench.gate;

import java.io.IOException;
import java.nio.file.Files;

/**
 * The gate: {@code check} reads the record, so that an unreadable one is known before benchmarks
 * run; {@code worse} prints the groups that are worth another run; {@code compare} prints the
 * table, and exits with 1 if a ratio is too much worse or missing; {@code record} prints it and
 * writes the ratios into the record.
 */
public final class Gate {
    private Gate() {}

    /** Exits with 2 and a line if it cannot do what is asked. */
    public static void main(String[] words) {
        try {
            System.exit(run(words[0]) ? 0 : 1);
        } catch (UsageException e) {
            say(e.getMessage());
        } catch (IOException e) {
            say("cannot read or write: " + e);
        }
        System.exit(2);
    }

    private static void say(String line) {
        System.err.println("build.sh: bench all: " + line);
    }

    private static boolean run(String verb) throws IOException, UsageException {
        var recorded = Recorded.read(Recorded.FILE);
        if (verb.equals("check")) {
            return true;
        }
        var run = Run.read(Ratios.FOLDER);
        var comparison = Comparison.of(recorded, run);
        switch (verb) {
            case "worse" -> {
                comparison.worse().forEach(System.out::println);
                return true;
            }
            case "compare" -> {
                return compare(comparison);
            }
            case "record" -> {
                System.out.print(comparison.text());
                record(recorded, run);
                return true;
            }
            default -> throw new IllegalArgumentException(verb);
        }
    }

    private static boolean compare(Comparison comparison) {
        System.out.print(comparison.text());
        var failures = comparison.failures();
        failures.forEach(Gate::say);
        return failures.isEmpty();
    }

    private static void record(Recorded recorded, Run run) throws IOException, UsageException {
        if (!run.failed().isEmpty()) {
            throw new UsageException("nothing is recorded: " + String.join("; ", run.failed()));
        }
        Files.writeString(Recorded.FILE, recorded.renewed(run).text());
        System.out.println("recorded in " + Recorded.FILE);
    }
}
