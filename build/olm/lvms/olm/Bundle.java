package lvms.olm;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A bundle of form registry+v1: what OLM installs of one version. */
public final class Bundle {
    private static final String LABEL = "operators.operatorframework.io.bundle.";
    private static final String MONITORING = "monitoring.coreos.com";

    /** Kinds that a ClusterServiceVersion says in its own way. */
    private static final Set<String> WITHIN =
            Set.of(
                    "Deployment",
                    "Namespace",
                    "MutatingWebhookConfiguration",
                    "ValidatingWebhookConfiguration");

    /** OLM before 1.55 of its registry refuses a bundle with one. docs/olm.md says what to do. */
    private static final String POLICY = "NetworkPolicy";

    /** OLM makes one of another name, and its certificate. */
    private static final String WEBHOOK_SERVICE = "lvms-webhook-service";

    /** Kinds that are files beside it. */
    private static final Set<String> BESIDE =
            Set.of(
                    "ClusterRole",
                    "ClusterRoleBinding",
                    "CustomResourceDefinition",
                    "PodDisruptionBudget",
                    "PrometheusRule",
                    "Role",
                    "RoleBinding",
                    "Service",
                    "ServiceMonitor");

    private final Graph graph;
    private final Release release;
    private final ServiceVersion source;
    private final ObjectTree serviceVersion;
    private final List<KubeObject> types = new ArrayList<>();
    private final List<KubeObject> objects = new ArrayList<>();

    private Bundle(Path deploy, Release release) throws IOException {
        this.release = release;
        graph = Graph.read(deploy.resolve("olm/graph.yaml"));
        var all =
                new Kustomization(
                                deploy.resolve("olm"),
                                text -> text.replace("lvms-system", release.namespace()))
                        .objects();
        source = new ServiceVersion(deploy, graph, release, all);
        serviceVersion = source.json();
        var permissions = new Permissions(all);
        for (var object : all) {
            if (!permissions.use(object) && isBeside(object)) {
                add(object);
            }
        }
    }

    /** Makes the bundle of a release. */
    public static Bundle of(Path deploy, Release release) throws IOException {
        return new Bundle(deploy, release);
    }

    private static boolean isBeside(KubeObject object) {
        if (WITHIN.contains(object.kind())
                || object.kind().equals(POLICY)
                || object.kind().equals("Service") && object.name().equals(WEBHOOK_SERVICE)) {
            return false;
        }
        if (!BESIDE.contains(object.kind())) {
            throw new IllegalArgumentException("a bundle cannot have a " + object.kind());
        }
        return true;
    }

    /** OLM puts it where the operator is. */
    private void add(KubeObject object) {
        boolean type = object.kind().equals("CustomResourceDefinition");
        (type ? types : objects).add(object.without("metadata", "namespace"));
    }

    Graph graph() {
        return graph;
    }

    Release release() {
        return release;
    }

    ObjectTree serviceVersion() {
        return serviceVersion;
    }

    ObjectTree icon() throws IOException {
        return source.icon();
    }

    ListTree relatedImages() {
        return source.relatedImages();
    }

    /** Returns the types that it brings, each as group, version and kind. */
    ListTree provided() {
        return new OwnedTypes(types).provided();
    }

    /** Returns its properties that OLM cannot tell from its objects. */
    ListTree properties() {
        var optional = ListTree.builder();
        for (var object : objects) {
            if (object.apiVersion().startsWith(MONITORING)) {
                optional.add(
                        ObjectTree.builder()
                                .put("group", MONITORING)
                                .put("kind", object.kind())
                                .put("name", object.name())
                                .build());
            }
        }
        return ListTree.of(
                ObjectTree.builder()
                        .put("type", "olm.manifests.optional")
                        .put("value", ObjectTree.EMPTY.with(optional.build(), "manifests"))
                        .build());
    }

    /** Returns what the image is labelled with. */
    public Map<String, String> annotations() {
        var annotations = new TreeMap<String, String>();
        annotations.put(LABEL + "mediatype.v1", "registry+v1");
        annotations.put(LABEL + "manifests.v1", "manifests/");
        annotations.put(LABEL + "metadata.v1", "metadata/");
        annotations.put(LABEL + "package.v1", graph.packageName());
        annotations.put(LABEL + "channels.v1", graph.channel());
        annotations.put(LABEL + "channel.default.v1", graph.channel());
        return annotations;
    }

    /** Returns the texts of its files, by path. */
    Map<String, String> files() {
        var files = new TreeMap<String, String>();
        files.put(
                "manifests/" + graph.packageName() + ".clusterserviceversion.yaml",
                Yaml.write(serviceVersion));
        types.forEach(type -> files.put("manifests/" + file(type), Yaml.write(type.json())));
        objects.forEach(o -> files.put("manifests/" + file(o), Yaml.write(o.json())));
        files.put(
                "metadata/annotations.yaml",
                Yaml.write(
                        ObjectTree.EMPTY.with(ObjectTree.ofTexts(annotations()), "annotations")));
        files.put(
                "metadata/properties.yaml",
                Yaml.write(ObjectTree.EMPTY.with(properties(), "properties")));
        return files;
    }

    private static String file(KubeObject object) {
        if (object.kind().equals("CustomResourceDefinition")) {
            return object.text("spec", "group").orElseThrow()
                    + "_"
                    + object.text("spec", "names", "plural").orElseThrow()
                    + ".yaml";
        }
        return object.name()
                + "_"
                + object.apiVersion().replace('/', '_')
                + "_"
                + object.kind().toLowerCase(Locale.ROOT)
                + ".yaml";
    }

    /** Returns how the image is built. */
    String dockerfile() {
        var text = new StringBuilder("FROM scratch\n");
        annotations().forEach((name, value) -> text.append("LABEL %s=%s%n".formatted(name, value)));
        return text + "COPY bundle/manifests /manifests/\nCOPY bundle/metadata /metadata/\n";
    }
}
