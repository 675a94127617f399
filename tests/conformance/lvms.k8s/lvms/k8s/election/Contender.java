package lvms.k8s.election;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.cluster.ControlPlane;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One process that wants to lead, and from its first lead on never stops trying to write: new
 * objects, and patches that are repeated after a lost answer. Its user tells it apart in the logs.
 */
final class Contender implements AutoCloseable {
    private static final int WRITERS = 4;

    private final KubeClient client;
    private final KubeClient guarded;
    private final LeaderElector elector;
    private final String user;
    private final List<Thread> writers = new ArrayList<>();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong fenced = new AtomicLong();
    private final AtomicInteger names = new AtomicInteger();

    Contender(ControlPlane plane, String user, ObjectKey lease, LeaseTiming timing)
            throws Exception {
        this.user = user;
        Path kubeconfig = plane.kubeconfig(user, "system:masters");
        client = KubeClient.open(KubeConfig.load(Optional.of(kubeconfig)), user);
        elector = LeaderElector.of(client, lease, user, timing);
        guarded = client.guardedBy(elector).withFieldManager(user);
    }

    String user() {
        return user;
    }

    void start() {
        elector.start(
                new LeaderElector.Listener() {
                    @Override
                    public void onStartedLeading() {
                        startWriters();
                    }

                    @Override
                    public void onStoppedLeading() {}
                });
    }

    private void startWriters() {
        for (int i = 0; i < WRITERS; i++) {
            int writer = i;
            writers.add(Thread.ofVirtual().start(() -> writeForEver(writer)));
        }
    }

    private void writeForEver(int writer) {
        var key = ObjectKey.of("default", user + "-" + writer);
        while (!Thread.currentThread().isInterrupted()) {
            try {
                write(key);
                written.incrementAndGet();
            } catch (ApiException.Fenced _) {
                fenced.incrementAndGet();
                Thread.onSpinWait();
            } catch (ApiException _) {
                continue; // the server is stopped: the next write finds out for how long
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private void write(ObjectKey key) throws ApiException, InterruptedException {
        Thread.sleep(5); // leaves the API server room for the leases
        var next = ObjectKey.of("default", key.name() + "-" + names.incrementAndGet());
        guarded.create(Types.CONFIG_MAP, KubeObject.create(Types.CONFIG_MAP, next));
        var data = ObjectTree.builder().put("n", Integer.toString(names.get())).build();
        var patch = ObjectTree.builder().put("data", data).build();
        guarded.mergePatch(Types.CONFIG_MAP, next, patch);
    }

    boolean leading() {
        return elector.leading();
    }

    /** Returns how many pairs of writes succeeded. */
    long written() {
        return written.get();
    }

    /** Returns how many writes the guard refused. */
    long fenced() {
        return fenced.get();
    }

    @Override
    public void close() {
        writers.forEach(Thread::interrupt); // each ends at its next call
        elector.close();
        client.close();
    }
}
