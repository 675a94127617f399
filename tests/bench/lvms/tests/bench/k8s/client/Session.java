package lvms.tests.bench.k8s.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a client of the benchmark prints, a line each, and reads:
 *
 * <ul>
 *   <li>{@code synced MILLIS}, from before its client was made until the first list is in its store
 *   <li>{@code round MICROS}, from the first to the last of as many updates as there are pods
 *   <li>after the command {@code kept}: {@code kept BYTES}, the heap after a full collection
 *   <li>after the command {@code reconcile EVENTS}: {@code reconciling}, once one worker has seen
 *       all pods; then {@code latency P50 P99} of as many marked events, in microseconds from their
 *       sending to the pass
 * </ul>
 *
 * It ends with its input.
 */
public final class Session {
    /** The annotation that says when an event was sent; marked if it begins with an L. */
    public static final String SENT = "bench.lvms.io/sent";

    private final int pods;
    private final long begun = System.nanoTime();
    private long roundBegun;
    private int seen; // one handler runs at a time
    private long[] latencies;
    private int measured; // one worker
    private int passes;

    /** Begins; the arguments are the server's address and the number of pods. */
    public Session(String[] args) {
        pods = Integer.parseInt(args[1]);
    }

    /** Says that the first list is in the store. */
    public void synced() {
        System.out.println("synced " + (System.nanoTime() - begun) / 1_000_000);
    }

    /** Takes an update; handlers call it. */
    public void updated() {
        seen++;
        if (seen == 1) {
            roundBegun = System.nanoTime();
        }
        if (seen == pods) {
            System.out.println("round " + (System.nanoTime() - roundBegun) / 1000);
            seen = 0;
        }
    }

    /** Takes a pass of the reconciler, and what its pod's annotation says. */
    public void reconciled(Optional<String> sent) {
        if (sent.isPresent() && sent.get().startsWith("L")) {
            long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            latencies[measured++] = now - Long.parseLong(sent.get().substring(1));
            if (measured == latencies.length) {
                Arrays.sort(latencies);
                System.out.println(
                        "latency %d %d"
                                .formatted(
                                        latencies[measured / 2], latencies[measured * 99 / 100]));
            }
        }
        passes++;
        if (passes == pods) {
            System.out.println("reconciling");
        }
    }

    /** Answers commands until the input ends. */
    public void commands(Runnable reconcile) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            var words = line.split(" ");
            if (words[0].equals("kept")) {
                System.out.println("kept " + heapBytes());
            } else {
                latencies = new long[Integer.parseInt(words[1])];
                reconcile.run();
            }
        }
    }

    private static long heapBytes() {
        System.gc();
        System.gc(); // what the first one found to have a cleaner
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
