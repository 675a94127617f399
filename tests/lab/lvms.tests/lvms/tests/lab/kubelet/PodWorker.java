package lvms.tests.lab.kubelet;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The life of one pod on its node, from its binding to its end, on a thread of its own. */
final class PodWorker {
    private static final System.Logger LOG = System.getLogger(PodWorker.class.getName());
    private static final Duration FIRST_RETRY = Duration.ofMillis(500);
    private static final Duration LAST_RETRY = Duration.ofSeconds(10);
    private static final Duration TICK = Duration.ofMillis(250);
    private static final String ACCOUNT = "/run/secrets/kubernetes.io/serviceaccount";

    private final Kubelet kubelet;
    private final String uid;
    private final ObjectKey key;
    private final Place place;
    private final PodVolumes volumes;
    private final List<ContainerRun> containers = new ArrayList<>();
    private final Semaphore changed = new Semaphore(0);
    private KubeObject pod;

    PodWorker(Kubelet kubelet, KubeObject pod, Place place) {
        this.kubelet = kubelet;
        this.pod = pod;
        this.uid = pod.uid();
        this.key = pod.key();
        this.place = place;
        this.volumes = new PodVolumes(kubelet.kube(), kubelet.nodeName(), kubelet.volumes(), place);
    }

    /** Tells it that something may have changed. */
    void wake() {
        changed.release();
    }

    /** Runs until the pod is gone, or the thread is interrupted. */
    void run() throws InterruptedException {
        var sources = prepare();
        if (sources.isPresent()) {
            work(sources.get());
        }
        stopContainers();
        release();
        finish();
    }

    /** Whether the pod is to go on; reads its newest state. */
    private boolean wanted() {
        var newest = kubelet.pod(key).filter(found -> found.uid().equals(uid));
        newest.ifPresent(found -> pod = found);
        return newest.isPresent() && !pod.terminating();
    }

    private Optional<Map<String, String>> prepare() throws InterruptedException {
        var retry = FIRST_RETRY;
        while (wanted()) {
            try {
                return Optional.of(volumes.prepare(pod));
            } catch (VolumeFailure e) {
                event(EventRecorder.Type.WARNING, "FailedMount", e.getMessage());
            } catch (ApiException | IOException e) {
                LOG.log(System.Logger.Level.INFO, () -> "pod waits pod=" + key + " reason=" + e);
            }
            changed.tryAcquire(retry.toMillis(), TimeUnit.MILLISECONDS);
            changed.drainPermits();
            retry =
                    retry.multipliedBy(2).compareTo(LAST_RETRY) < 0
                            ? retry.multipliedBy(2)
                            : LAST_RETRY;
        }
        return Optional.empty();
    }

    private void work(Map<String, String> sources) throws InterruptedException {
        for (var spec : pod.objects("spec", "containers")) {
            var container = new PodContainer(pod, spec);
            containers.add(new ContainerRun(container, place, kubelet.threads(), this::wake));
        }
        var written = "";
        while (wanted()) {
            step(sources);
            var phase = phase();
            var states = containers.stream().map(ContainerRun::state).toList();
            if (!written.equals(phase + states) && writeStatus(phase, states)) {
                written = phase + states;
            }
            grow();
            changed.tryAcquire(TICK.toMillis(), TimeUnit.MILLISECONDS);
            changed.drainPermits();
        }
    }

    private void step(Map<String, String> sources) throws InterruptedException {
        var policy = pod.text("spec", "restartPolicy").orElse("Always");
        for (var container : containers) {
            try {
                boolean due =
                        !container.started()
                                || !container.finished(policy) && container.restartDue();
                if (due) {
                    container.start(script(container, sources), started(container));
                } else if (container.probe()) {
                    event(EventRecorder.Type.WARNING, "Unhealthy", "Liveness probe failed");
                    kill(container, "KILL");
                }
            } catch (IOException e) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        () -> "container not started pod=" + key + " " + e);
            }
        }
    }

    private Path started(ContainerRun run) {
        return place.outside().resolve(uid).resolve(run.name() + ".started");
    }

    private String script(ContainerRun run, Map<String, String> sources) throws IOException {
        var container = run.container();
        var folder = Files.createDirectories(place.outside().resolve(uid));
        var inside = place.inside() + "/" + uid + "/" + run.name();
        var environment = new LinkedHashMap<String, String>();
        environment.put("KUBERNETES_SERVICE_HOST", kubelet.credentials().host());
        environment.put("KUBERNETES_SERVICE_PORT", "" + kubelet.credentials().port());
        environment.putAll(container.environment(kubelet.nodeName(), place.address()));
        var mounts = new ArrayList<PodContainer.Mount>();
        mounts.add(new PodContainer.Mount(account(), ACCOUNT, true, false));
        mounts.addAll(kubelet.imageMounts(place));
        mounts.addAll(container.mounts(sources)); // last, since one of them may hide the sources
        var text =
                ContainerScript.of(
                        container,
                        environment,
                        place.prelude(),
                        mounts,
                        container.devices(sources),
                        inside + ".pid",
                        inside + ".log");
        Files.writeString(folder.resolve(run.name() + ".sh"), text);
        return inside + ".sh";
    }

    /** The folder that every pod has for the API server. */
    private String account() throws IOException {
        var folder = Files.createDirectories(place.outside().resolve(uid).resolve("account"));
        var credentials = kubelet.credentials();
        Files.writeString(folder.resolve("token"), credentials.token(pod));
        Files.writeString(folder.resolve("ca.crt"), credentials.caPem());
        Files.writeString(folder.resolve("namespace"), pod.namespace());
        return place.inside() + "/" + uid + "/account";
    }

    private String phase() {
        var policy = pod.text("spec", "restartPolicy").orElse("Always");
        if (!containers.stream().allMatch(container -> container.finished(policy))) {
            return "Running";
        }
        boolean good = containers.stream().allMatch(container -> container.exitCode() == 0);
        return good ? "Succeeded" : "Failed";
    }

    private boolean writeStatus(String phase, List<PodStatus.ContainerState> states)
            throws InterruptedException {
        try {
            var patch = PodStatus.patch(pod, phase, states, place.address());
            kubelet.kube().mergePatchStatus(Types.POD, key, patch);
            return true;
        } catch (ApiException e) {
            LOG.log(System.Logger.Level.INFO, () -> "pod status not written pod=" + key + " " + e);
            return false;
        }
    }

    private void grow() throws InterruptedException {
        for (var claimed : volumes.claimed().values()) {
            try {
                kubelet.grow(pod, claimed);
            } catch (VolumeFailure e) {
                event(EventRecorder.Type.WARNING, "VolumeResizeFailed", e.getMessage());
            } catch (ApiException e) {
                LOG.log(System.Logger.Level.INFO, () -> "claim not grown pod=" + key + " " + e);
            }
        }
    }

    private void stopContainers() throws InterruptedException {
        long grace =
                pod.number("metadata", "deletionGracePeriodSeconds")
                        .orElse(pod.number("spec", "terminationGracePeriodSeconds").orElse(30));
        signal("TERM");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(grace);
        while (containers.stream().anyMatch(ContainerRun::running)) {
            changed.tryAcquire(TICK.toMillis(), TimeUnit.MILLISECONDS);
            if (System.nanoTime() > end) {
                signal("KILL");
            }
        }
    }

    private void signal(String signal) throws InterruptedException {
        for (var container : containers) {
            if (container.running()) {
                kill(container, signal);
            }
        }
    }

    private void kill(ContainerRun container, String signal) throws InterruptedException {
        var pidFile = place.inside() + "/" + uid + "/" + container.name() + ".pid";
        try {
            place.run(
                    List.of("sh", "-c", "kill -" + signal + " $(cat " + pidFile + ")"),
                    Kubelet.SHORT);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.INFO, () -> "container not signalled pod=" + key + " " + e);
        }
    }

    private void release() throws InterruptedException {
        var retry = FIRST_RETRY;
        while (true) {
            try {
                volumes.release(pod);
                return;
            } catch (VolumeFailure e) {
                LOG.log(
                        System.Logger.Level.INFO,
                        () -> "volume stays pod=" + key + " " + e.getMessage());
            }
            TimeUnit.MILLISECONDS.sleep(retry.toMillis());
            retry =
                    retry.multipliedBy(2).compareTo(LAST_RETRY) < 0
                            ? retry.multipliedBy(2)
                            : LAST_RETRY;
        }
    }

    /** A terminating pod's object goes when nothing of the pod is left. */
    private void finish() throws InterruptedException {
        while (kubelet.pod(key).filter(found -> found.uid().equals(uid)).isPresent()) {
            try {
                place.run(List.of("rm", "-rf", place.podFolder(uid)), Kubelet.SHORT);
                kubelet.kube().delete(Types.POD, key, DeleteOptions.uid(uid).gracePeriodSeconds(0));
                return;
            } catch (ApiException | IOException e) {
                LOG.log(System.Logger.Level.INFO, () -> "pod stays pod=" + key + " " + e);
            }
            TimeUnit.MILLISECONDS.sleep(FIRST_RETRY.toMillis());
        }
    }

    private void event(EventRecorder.Type type, String reason, String note) {
        kubelet.events().record(pod, type, reason, "Syncing", note);
    }
}
