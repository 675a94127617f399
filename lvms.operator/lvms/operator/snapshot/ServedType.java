package lvms.operator.snapshot;

import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.Optional;

/** Waits until the cluster serves a custom type in the version that we use. */
final class ServedType implements AutoCloseable {
    private final ResourceType type;
    private final Runnable onServed;
    private final Informer definition;

    /**
     * Prepares the watch of the definition.
     *
     * @param onServed run whenever it is seen to be served, on a thread of its own
     */
    ServedType(KubeClient kube, ResourceType type, Runnable onServed) {
        this.type = type;
        this.onServed = onServed;
        this.definition =
                Informer.of(kube, Types.CRD)
                        .fieldSelector("metadata.name=" + type.qualifiedPlural())
                        .transform(ServedType::trim)
                        .build();
        definition.addHandler(this::onDefinition);
    }

    /**
     * A definition is tens of kilobytes of schema; only versions and conditions are of interest.
     */
    private static KubeObject trim(KubeObject definition) {
        var versions = ListTree.builder();
        for (var version : definition.objects("spec", "versions")) {
            var kept = ObjectTree.builder();
            kept.put("name", version.text("name").orElse(""));
            kept.put("served", version.flag("served").orElse(false));
            versions.add(kept.build());
        }
        return definition
                .without("spec")
                .without("metadata", "managedFields")
                .without("metadata", "annotations")
                .with(versions.build(), "spec", "versions");
    }

    private void onDefinition(Optional<KubeObject> before, Optional<KubeObject> after) {
        if (after.filter(this::served).isPresent()) {
            Thread.ofVirtual().name(type.plural() + "-served").start(onServed);
        }
    }

    private boolean served(KubeObject definition) {
        return definition.condition("Established").filter(Condition::holds).isPresent()
                && definition.objects("spec", "versions").stream()
                        .filter(version -> version.flag("served").orElse(false))
                        .anyMatch(
                                version -> version.text("name").orElse("").equals(type.version()));
    }

    void start() {
        definition.start();
    }

    @Override
    public void close() {
        definition.close();
    }
}
