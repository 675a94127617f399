package lvms.tests.bench.k8s.client;

import lvms.k8s.client.ClientOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.net.URI;
import java.time.Duration;

/** Ours: an informer of pods with its defaults, and a controller. */
final class LvmsClient {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private LvmsClient() {}

    public static void main(String[] args) throws Exception {
        var session = new Session(args);
        var config = KubeConfig.builder(URI.create(args[0])).build();
        var options = ClientOptions.of("bench/1.0").callDeadline(LIMIT);
        try (var kube = KubeClient.open(config, options);
                var pods = Informer.of(kube, Types.POD).build()) {
            pods.addHandler(
                    (before, _) -> {
                        if (before.isPresent()) {
                            session.updated();
                        }
                    });
            pods.start();
            pods.awaitSync(LIMIT);
            session.synced();
            session.commands(() -> reconcile(session, pods));
        }
        System.exit(0);
    }

    private static void reconcile(Session session, Informer pods) {
        Reconciler<ObjectKey> reconciler =
                key -> {
                    session.reconciled(pods.get(key).flatMap(pod -> pod.annotation(Session.SENT)));
                    return Result.done();
                };
        Controller.named("bench", reconciler).watch(pods).workers(1).build().start();
    }
}
