package lvms.tests.lab.kubelet;

import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** One container of a pod: its process, its restarts and its probes. */
final class ContainerRun {
    private static final System.Logger LOG = System.getLogger(ContainerRun.class.getName());
    private static final Duration EARLY_PROBES = Duration.ofMillis(250);
    private static final Duration STEADY_PROBES = Duration.ofSeconds(5);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private static final Duration UNLIMITED = Duration.ofDays(1);
    private static final Duration BACK_OFF = Duration.ofSeconds(1);
    private static final Duration MAX_BACK_OFF = Duration.ofSeconds(20);

    private final PodContainer container;
    private final Place place;
    private final ExecutorService threads;
    private final Runnable changed;
    private Future<Integer> process;
    private Path started;
    private Instant since = Instant.now();
    private Instant nextStart = Instant.MIN;
    private Instant nextLiveness = Instant.MIN;
    private Instant nextProbe = Instant.MIN;
    private Duration backOff = BACK_OFF;
    private int restarts;
    private int exitCode = -1;
    private int failures;
    private boolean ended;
    private boolean startedUp;
    private boolean ready;

    ContainerRun(PodContainer container, Place place, ExecutorService threads, Runnable changed) {
        this.container = container;
        this.place = place;
        this.threads = threads;
        this.changed = changed;
    }

    /**
     * Starts the program.
     *
     * @param script where the place has it
     * @param startedFile has content when the program itself is started
     */
    void start(String script, Path startedFile) throws IOException {
        Files.deleteIfExists(startedFile);
        started = startedFile;
        since = Instant.now();
        ended = false;
        startedUp = !container.spec().has("startupProbe");
        ready = false;
        failures = 0;
        process = threads.submit(run(script));
    }

    private Callable<Integer> run(String script) {
        return () -> {
            try {
                var propagation = "--propagation=unchanged";
                var command = List.of("unshare", "--mount", propagation, "sh", script);
                return place.run(command, UNLIMITED).status();
            } finally {
                changed.run();
            }
        };
    }

    boolean started() {
        return process != null;
    }

    boolean running() {
        return process != null && !process.isDone();
    }

    /** Whether the container has ended for good. */
    boolean finished(String restartPolicy) {
        noteEnd();
        boolean last =
                restartPolicy.equals("Never") || restartPolicy.equals("OnFailure") && exitCode == 0;
        return ended && last;
    }

    private void noteEnd() {
        if (ended || process == null || !process.isDone()) {
            return;
        }
        ended = true;
        ready = false;
        exitCode = process.state() == Future.State.SUCCESS ? process.resultNow() : 255;
        nextStart = Instant.now().plus(backOff);
        var doubled = backOff.multipliedBy(2);
        backOff = doubled.compareTo(MAX_BACK_OFF) < 0 ? doubled : MAX_BACK_OFF;
        LOG.log(
                System.Logger.Level.INFO,
                () ->
                        "container ended pod="
                                + container.pod().key()
                                + " container="
                                + container.name()
                                + " status="
                                + exitCode);
    }

    /** Whether it is time to start it again; counts the restart. */
    boolean restartDue() {
        noteEnd();
        if (!ended || Instant.now().isBefore(nextStart)) {
            return false;
        }
        restarts++;
        return true;
    }

    /** Asks the probes that are due; returns whether the container has to be killed. */
    boolean probe() {
        if (!running() || started.toFile().length() == 0) {
            return false;
        }
        if (Instant.now().isBefore(nextProbe)) {
            return false;
        }
        startedUp = startedUp || answers("startupProbe");
        boolean was = ready;
        ready = startedUp && answers("readinessProbe");
        if (was != ready) {
            changed.run();
        }
        // Sooner than the manifest says while the container comes up, so that a test need not wait.
        nextProbe = Instant.now().plus(ready ? STEADY_PROBES : EARLY_PROBES);
        return startedUp && dead();
    }

    private boolean dead() {
        var probe = container.spec().object("livenessProbe").orElse(ObjectTree.EMPTY);
        if (probe.isEmpty() || Instant.now().isBefore(nextLiveness)) {
            return false;
        }
        int period = (int) probe.number("periodSeconds").orElse(10);
        nextLiveness = Instant.now().plusSeconds(period);
        if (answers("livenessProbe")) {
            failures = 0;
            return false;
        }
        int threshold = (int) probe.number("failureThreshold").orElse(3);
        return ++failures >= threshold;
    }

    private boolean answers(String probeName) {
        var probe = container.spec().object(probeName).orElse(ObjectTree.EMPTY);
        if (probe.isEmpty()) {
            return true;
        }
        try {
            if (probe.has("exec")) {
                return true; // the lab's pods have none that could fail
            }
            return get(probe);
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean get(ObjectTree probe) throws IOException, InterruptedException {
        var get = probe.at("httpGet").asObject();
        var path = get.text("path").orElse("/");
        var uri = URI.create("http://" + place.address() + ":" + port(get) + path);
        int timeout = (int) probe.number("timeoutSeconds").orElse(1);
        var request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(timeout)).build();
        int status = HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        return status >= 200 && status < 400;
    }

    private int port(ObjectTree get) {
        var port = get.at("port");
        if (port.number().isPresent()) {
            return (int) port.number().orElseThrow();
        }
        for (var element : container.spec().at("ports").asList()) {
            var candidate = element.asObject();
            if (candidate.has("name") && candidate.at("name").equals(port)) {
                return (int) candidate.at("containerPort").number().orElseThrow();
            }
        }
        throw new IllegalArgumentException(container.pod().key() + ": no port named " + port);
    }

    PodStatus.ContainerState state() {
        return new PodStatus.ContainerState(
                container.name(),
                container.image(),
                running(),
                running() && ready,
                exitCode,
                restarts,
                since);
    }

    int exitCode() {
        return exitCode;
    }

    String name() {
        return container.name();
    }

    PodContainer container() {
        return container;
    }
}
