package lvms.tests.bench.fabric8;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;

import lvms.tests.bench.k8s.client.Session;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * fabric8's shared informer of pods with its defaults. It has no work queue, so a plain queue and a
 * thread stand for a controller.
 */
final class Fabric8Client {
    private Fabric8Client() {}

    public static void main(String[] args) throws Exception {
        var session = new Session(args);
        var config =
                new ConfigBuilder(Config.empty())
                        .withMasterUrl(args[0])
                        .withOnlyHttpWatches(true) // the server has no WebSockets
                        .build();
        try (var client = new KubernetesClientBuilder().withConfig(config).build();
                var pods = client.pods().inAnyNamespace().runnableInformer(0)) {
            pods.addEventHandler(handler(_ -> {}, _ -> session.updated()));
            pods.start().toCompletableFuture().join();
            session.synced();
            session.commands(() -> reconcile(session, pods));
        }
        System.exit(0);
    }

    private static void reconcile(Session session, SharedIndexInformer<Pod> pods) {
        BlockingQueue<String> keys = new LinkedBlockingQueue<>();
        Thread.ofPlatform().daemon().start(() -> work(session, pods, keys));
        pods.addEventHandler(
                handler(
                        pod -> keys.add(Cache.metaNamespaceKeyFunc(pod)),
                        pod -> keys.add(Cache.metaNamespaceKeyFunc(pod))));
    }

    private static void work(
            Session session, SharedIndexInformer<Pod> pods, BlockingQueue<String> keys) {
        try {
            while (true) {
                var pod = Optional.ofNullable(pods.getStore().getByKey(keys.take()));
                session.reconciled(
                        pod.map(each -> each.getMetadata().getAnnotations().get(Session.SENT)));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Taker {
        void take(Pod pod);
    }

    private static ResourceEventHandler<Pod> handler(Taker added, Taker updated) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Pod pod) {
                added.take(pod);
            }

            @Override
            public void onUpdate(Pod before, Pod after) {
                updated.take(after);
            }

            @Override
            public void onDelete(Pod pod, boolean finalStateUnknown) {
                throw new IllegalStateException("no pod is deleted");
            }
        };
    }
}
