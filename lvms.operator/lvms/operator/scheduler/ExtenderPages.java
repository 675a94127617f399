package lvms.operator.scheduler;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpHandler;
import lvms.k8s.serving.HttpRequest;
import lvms.k8s.serving.Limits;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Answers kube-scheduler: {@code /predicate} takes out the nodes without room, {@code /prioritize}
 * scores them, {@code /status} says that this works. Any thread may call.
 *
 * @param driver whose annotations count
 */
public record ExtenderPages(Driver driver, Divisors divisors) implements HttpHandler {
    private static final int MOST_BYTES = 10 << 20;

    /** A question of 10 MiB takes ten times as much while it is answered. */
    private static final Semaphore ONE_AT_A_TIME = new Semaphore(1);

    /** A question holds every Node that the scheduler considers. */
    public static final Limits LIMITS =
            new Limits(
                    32,
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(90),
                    16 << 10,
                    MOST_BYTES,
                    2 * MOST_BYTES);

    /** A pod and the nodes that it may be put on. */
    private record Question(KubeObject pod, ObjectTree nodes) {
        private static final String POD = "pod";
        private static final String NODES = "nodes";
        private static final String ITEMS = "items";

        static Question of(byte[] body) {
            if (!(Json.parse(new String(body, StandardCharsets.UTF_8))
                    instanceof ObjectTree asked)) {
                throw new IllegalArgumentException("expected an object");
            }
            var pod = member(asked, POD);
            var nodes = member(asked, NODES);
            if (pod.isEmpty()) {
                throw new IllegalArgumentException("no pod in it");
            }
            if (nodes.isEmpty()) {
                throw new IllegalArgumentException(
                        "no nodes in it: the scheduler's configuration of this extender needs"
                                + " nodeCacheCapable: false");
            }
            return new Question(KubeObject.of(pod.get()), nodes.get());
        }

        /**
         * The API's Go types name no keys: kube-scheduler writes {@code Pod} and reads any case.
         */
        private static Optional<ObjectTree> member(ObjectTree asked, String name) {
            return asked.members().keySet().stream()
                    .filter(name::equalsIgnoreCase)
                    .findFirst()
                    .flatMap(asked::object);
        }

        List<KubeObject> all() {
            return nodes.objects(ITEMS).stream().map(KubeObject::of).toList();
        }

        ObjectTree only(List<KubeObject> kept) {
            var items = ListTree.of(kept.stream().map(KubeObject::json).toList());
            return nodes.toBuilder().put(ITEMS, items).build();
        }
    }

    @Override
    public HttpAnswer answer(HttpRequest request) throws InterruptedException {
        return switch (request.path()) {
            case "/status" -> HttpAnswer.text(200, "ok");
            case "/predicate" -> answer(request.body(), this::filtered);
            case "/prioritize" -> answer(request.body(), this::scored);
            default -> HttpAnswer.notFound();
        };
    }

    private static HttpAnswer answer(byte[] body, Function<Question, String> work)
            throws InterruptedException {
        ONE_AT_A_TIME.acquire();
        try {
            return HttpAnswer.json(work.apply(Question.of(body)));
        } catch (IllegalArgumentException | JsonException e) {
            return HttpAnswer.text(400, "not ExtenderArgs: " + e.getMessage() + "\n");
        } finally {
            ONE_AT_A_TIME.release();
        }
    }

    private String filtered(Question question) {
        var demand = Demand.of(driver, question.pod());
        var failed = ObjectTree.builder();
        var kept =
                question.all().stream()
                        .filter(
                                node -> {
                                    var refusal = new NodeRoom(driver, node).refusal(demand);
                                    refusal.ifPresent(why -> failed.put(node.name(), why));
                                    return refusal.isEmpty();
                                })
                        .toList();
        var result = ObjectTree.builder().put("nodes", question.only(kept));
        if (!failed.isEmpty()) {
            result.put("failedNodes", failed.build());
        }
        return Json.write(result.build());
    }

    private String scored(Question question) {
        var demand = Demand.of(driver, question.pod());
        if (demand.classes().isEmpty()) {
            return "null"; // no opinion about pods without volumes of ours
        }
        var scores = ListTree.builder();
        for (var node : question.all()) {
            scores.add(
                    ObjectTree.builder()
                            .put("host", node.name())
                            .put("score", new NodeRoom(driver, node).score(demand, divisors))
                            .build());
        }
        return Json.write(scores.build());
    }
}
