package lvms.operator.snapshot;

import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Optional;

/** Waits until the cluster serves a custom type in the version that we use. */
final class ServedType implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ServedType.class.getName());
    private final ResourceType type;
    private final Runnable onServed;
    private final Informer definition;
    private String told = "";

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
                .without("metadata", "annotations")
                .with(versions.build(), "spec", "versions");
    }

    private void onDefinition(Optional<KubeObject> before, Optional<KubeObject> after) {
        var served = after.map(ServedType::served).orElse(List.of());
        if (served.contains(type.version())) {
            Thread.ofVirtual().name(type.plural() + "-served").start(onServed);
        } else if (!served.isEmpty()) {
            tell(String.join(",", served));
        }
    }

    private static List<String> served(KubeObject definition) {
        return definition.condition("Established").filter(Condition::holds).isEmpty()
                ? List.of()
                : definition.objects("spec", "versions").stream()
                        .filter(version -> version.flag("served").orElse(false))
                        .flatMap(version -> version.text("name").stream())
                        .toList();
    }

    /** Says once that the objects of the cluster are not followed, and what would change it. */
    private synchronized void tell(String served) {
        if (!told.equals(served)) {
            told = served;
            LOG.log(
                    WARNING,
                    () ->
                            "objects are not followed: the cluster serves only other versions of"
                                    + " their type type="
                                    + type
                                    + " served="
                                    + served
                                    + " needed="
                                    + type.version());
        }
    }

    void start() {
        definition.start();
    }

    @Override
    public void close() {
        definition.close();
    }
}
