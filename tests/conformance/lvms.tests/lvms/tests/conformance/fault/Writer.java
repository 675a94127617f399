package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A pod that appends numbered lines to a file of its volume. A number appears in its log only when
 * the line was synced, so whoever read the number may rely on the line. A write that fails ends the
 * container.
 */
public final class Writer {
    private static final String SCRIPT =
            """
            n=$(grep -c ok /data/log 2>/dev/null || true)
            [ ! -s /data/log ] || echo >>/data/log
            while :; do
                read -r up idle </proc/uptime
                n=$((n + 1))
                echo "$n $up ok" >>/data/log
                sync /data/log
                echo $n
                sleep 0.3
            done
            """;

    /** A number at one place of a device, which whoever starts anew reads first. */
    private static final String DEVICE_SCRIPT =
            """
            n=$(dd if=/dev/data bs=512 skip=8192 count=1 2>/dev/null | tr -cd 0-9)
            n=${n:-0}
            while :; do
                n=$((n + 1))
                printf '%-511d\\n' $n |
                    dd of=/dev/data bs=512 seek=8192 conv=notrunc,fsync 2>/dev/null
                echo $n
                sleep 0.3
            done
            """;

    private final Product product;
    private final Sandbox sandbox;
    private final String name;

    private Writer(Product product, Sandbox sandbox, String name) {
        this.product = product;
        this.sandbox = sandbox;
        this.name = name;
    }

    /** One line of the file. */
    private record Line(long number, double uptime) {
        static Line of(String text) {
            var words = text.split(" ");
            return new Line(Long.parseLong(words[0]), Double.parseDouble(words[1]));
        }
    }

    /** Starts a writer with a new claim of the same name, and waits until it writes. */
    public static Writer start(Product product, Sandbox sandbox, Claim claim, String node)
            throws Exception {
        sandbox.create(claim);
        var pod = Pod.with(claim.name(), claim.name()).on(node).running(SCRIPT);
        return start(product, sandbox, pod);
    }

    /** Starts one that writes to the device of a claim; it has no lines to hold. */
    public static Writer startOnDevice(Product product, Sandbox sandbox, String claim, String node)
            throws Exception {
        var pod = Pod.of(claim).device("data", claim).on(node).running(DEVICE_SCRIPT);
        return start(product, sandbox, pod);
    }

    private static Writer start(Product product, Sandbox sandbox, Pod pod) throws Exception {
        sandbox.create(pod);
        sandbox.awaitReady(pod.name());
        var writer = new Writer(product, sandbox, pod.name());
        writer.awaitMore(0);
        return writer;
    }

    /** Returns the first number that its present container told. */
    public long first() throws IOException, InterruptedException {
        var all = product.kubectl("logs", "--namespace=" + sandbox.namespace(), name);
        return Long.parseLong(all.lines().findFirst().orElseThrow().strip());
    }

    /** Returns the number of the last line that was synced for certain; 0 if none is known. */
    public long told() throws IOException, InterruptedException {
        var last = product.kubectl("logs", "--namespace=" + sandbox.namespace(), name, "--tail=1");
        return last.isBlank() ? 0 : Long.parseLong(last.strip());
    }

    /** Waits until more lines are written than these; returns how many. */
    public long awaitMore(long than) throws Exception {
        sandbox.patience().until(name + " writes beyond " + than, () -> told() > than);
        return told();
    }

    /** Returns how often its container was restarted. */
    public long restarts() throws Exception {
        return sandbox.restarts(name);
    }

    /** Waits until its container was restarted and writes. */
    void awaitRestart(Duration deadline) throws Exception {
        product.patience(deadline, sandbox.namespace())
                .until(name + " writes again", () -> restarts() > 0 && told() > 0);
    }

    /** Checks that every line up to this one is there, in order, and nothing was written twice. */
    public void assertHolds(long number) throws Exception {
        var lines = lines();
        for (int i = 0; i < lines.size(); i++) {
            assertEquals(i + 1, lines.get(i).number(), name + ": a line is lost or came twice");
        }
        assertTrue(lines.size() >= number, name + ": " + number + " synced, " + lines.size());
    }

    /** Returns the longest time between two lines, in seconds; only within one boot of its node. */
    public double longestGap() throws Exception {
        var lines = lines();
        double longest = 0;
        for (int i = 1; i < lines.size(); i++) {
            longest = Math.max(longest, lines.get(i).uptime() - lines.get(i - 1).uptime());
        }
        return longest;
    }

    private List<Line> lines() throws Exception {
        return sandbox.run(name, "grep ok /data/log").lines().map(Line::of).toList();
    }
}
