package lvms.operator.inspection;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.exec.ExecException;
import lvms.k8s.exec.PodExec;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.overview.Overview;
import lvms.operator.overview.ProductPod;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a command of {@code lvms} in the agent's pod of each node, side by side. Each node has its
 * own deadline, so one that hangs keeps no other waiting for longer than that.
 *
 * @param kube with the caller's rights; {@code create} and {@code get} of {@code pods/exec} are
 *     needed
 */
public record NodeInspection(KubeClient kube, Overview overview) {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int AT_ONCE = 8;
    private static final int MAX_BYTES = 4 << 20;

    /** Takes what the command printed on a node. */
    @FunctionalInterface
    public interface Taker {
        void take(String node, byte[] output) throws IOException;
    }

    /**
     * What the nodes said.
     *
     * @param byNode in the order of the nodes' names
     * @param gaps nodes that gave no answer, one line each
     */
    public record Answers(SortedMap<String, ObjectTree> byNode, List<String> gaps) {}

    private record Answer(byte[] output, String gap) {
        private static final byte[] NOTHING = {};

        static Answer gap(String line) {
            return new Answer(NOTHING, line);
        }
    }

    /** Runs a command that prints a JSON object. */
    public Answers json(String... words) throws InterruptedException {
        var byNode = new TreeMap<String, ObjectTree>();
        var gaps = new ArrayList<String>();
        try {
            gaps.addAll(
                    ask(
                            List.of(words),
                            (node, output) ->
                                    parsed(output)
                                            .ifPresentOrElse(
                                                    json -> byNode.put(node, json),
                                                    () -> gaps.add(noJson(node, output)))));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // parsing reads and writes nothing
        }
        return new Answers(byNode, gaps);
    }

    private static Optional<ObjectTree> parsed(byte[] output) {
        try {
            return Json.parse(text(output)) instanceof ObjectTree json
                    ? Optional.of(json)
                    : Optional.empty();
        } catch (JsonException _) {
            return Optional.empty();
        }
    }

    private static String noJson(String node, byte[] output) {
        var line = text(output).lines().findFirst().orElse("");
        return "node " + node + ": the answer is not JSON: " + line;
    }

    private static String text(byte[] output) {
        return new String(output, StandardCharsets.UTF_8);
    }

    /**
     * Runs a command.
     *
     * @return nodes that gave no answer, one line each; the missing right is one line for all
     * @throws IOException of the taker
     */
    public List<String> ask(List<String> words, Taker taker)
            throws IOException, InterruptedException {
        var gaps = new ArrayList<String>();
        var refused = new AtomicBoolean();
        var agents = overview.pods().stream().filter(ProductPod::runsLvm).toList();
        try (var threads = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            var asked =
                    agents.stream()
                            .map(agent -> threads.submit(() -> answer(agent, words, refused)))
                            .toList();
            for (int i = 0; i < agents.size(); i++) {
                var answer = asked.get(i).get();
                if (answer.output().length > 0) {
                    taker.take(agents.get(i).node(), answer.output());
                }
                if (!answer.gap().isEmpty()) {
                    gaps.add(answer.gap());
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        return gaps;
    }

    private Answer answer(ProductPod agent, List<String> words, AtomicBoolean refused)
            throws InterruptedException {
        if (refused.get()) {
            return Answer.gap("");
        }
        try {
            return run(agent, words);
        } catch (ApiException.Forbidden e) {
            boolean first = refused.compareAndSet(false, true);
            return Answer.gap(first ? "what the nodes themselves say: " + e.getMessage() : "");
        } catch (ApiException | ExecException e) {
            return Answer.gap("node " + agent.node() + ": " + e.getMessage());
        }
    }

    private Answer run(ProductPod agent, List<String> words)
            throws ApiException, ExecException, InterruptedException {
        var command = new ArrayList<>(List.of(agent.program("lvms")));
        command.addAll(words);
        var ended =
                new PodExec(kube, DEADLINE, MAX_BYTES)
                        .run(agent.object().key(), agent.containerName(), command);
        var about = "node " + agent.node() + ": " + String.join(" ", words) + ": ";
        if (ended.stdout().length == 0) {
            return Answer.gap(about + ended.stderrText().strip().replaceAll("\\s+", " "));
        }
        return ended.cut()
                ? Answer.gap(about + "the answer is longer than " + MAX_BYTES + " bytes")
                : new Answer(ended.stdout(), "");
    }
}
