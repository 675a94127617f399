package example.team;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Result;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.util.List;
import java.util.Optional;

/**
 * Keeps a ConfigMap {@code team} in each namespace with the label {@code example.com/team}, with
 * the value of that label. Whoever changes or deletes the ConfigMap gets it back.
 */
final class TeamController implements AutoCloseable {
    static final String LABEL = "example.com/team";
    static final String MAP = "team";

    private final KubeClient kube;
    private final Informer namespaces;
    private final Informer maps;
    private final Controller<ObjectKey> controller;

    /** Starts at once. */
    TeamController(KubeClient client) {
        kube = client.withFieldManager("team-controller");
        namespaces = Informer.of(kube, Types.NAMESPACE).labelSelector(LABEL).build();
        maps = Informer.of(kube, Types.CONFIG_MAP).fieldSelector("metadata.name=" + MAP).build();
        controller =
                Controller.named("teams", this::reconcile)
                        .watch(namespaces)
                        .watch(maps, map -> List.of(ObjectKey.cluster(map.namespace())))
                        .build();
        controller.start();
    }

    private Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var namespace = namespaces.get(key);
        if (namespace.isEmpty() || namespace.get().terminating()) {
            return Result.done();
        }
        var team = namespace.get().label(LABEL).orElseThrow();
        var mapKey = ObjectKey.of(key.name(), MAP);
        var present = maps.get(mapKey).flatMap(map -> map.text("data", "name"));
        if (!present.equals(Optional.of(team))) {
            var map = KubeObject.create(Types.CONFIG_MAP, mapKey).with(team, "data", "name");
            maps.observed(kube.apply(Types.CONFIG_MAP, map));
        }
        return Result.done();
    }

    /** Waits for the pass that runs. */
    @Override
    public void close() {
        controller.close();
        maps.close();
        namespaces.close();
    }
}
