package lvms.olm;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The ClusterServiceVersion: {@code deploy/olm/csv.yaml}, completed from the other manifests.
 *
 * @param deploy the folder of the manifests
 * @param graph where the version stands
 * @param release what it is made for
 * @param objects of an installation
 */
record ServiceVersion(Path deploy, Graph graph, Release release, List<KubeObject> objects) {
    private static final List<String> EXAMPLES = List.of("lvmcluster", "thick", "raid", "several");
    private static final String FOR_PEOPLE = "lvmclusters.lvm.topolvm.io";
    private static final String INITIAL = "operatorframework.io/initialization-resource";
    private static final Pattern KUBERNETES = Pattern.compile(">=([0-9.]+)-0");

    /** The image that the manifests name. */
    private static final String OURS = "localhost/lvms:";

    ObjectTree json() throws IOException {
        var base = Yaml.read(read("olm/csv.yaml")).asObject();
        var annotations = new LinkedHashMap<>(base.textMap("metadata", "annotations"));
        annotations.put(INITIAL, Json.write(example(annotations.get(INITIAL))));
        annotations.putAll(annotations());
        return base.with(Tree.of(graph.nameOf(release)), "metadata", "name")
                .with(ObjectTree.ofTexts(annotations), "metadata", "annotations")
                .with(ObjectTree.ofTexts(labels()), "metadata", "labels")
                .with(spec(base.object("spec").orElseThrow()), "spec");
    }

    private Map<String, String> annotations() throws IOException {
        var examples = new ArrayList<Tree>();
        for (var name : EXAMPLES) {
            examples.add(example(name));
        }
        var internal =
                named("CustomResourceDefinition").stream()
                        .map(KubeObject::name)
                        .filter(name -> !name.equals(FOR_PEOPLE))
                        .toList();
        var out = new LinkedHashMap<String, String>();
        out.put("alm-examples", Json.write(ListTree.of(examples)));
        out.put("containerImage", release.image());
        out.put("features.operators.openshift.io/disconnected", String.valueOf(release.isPinned()));
        out.put("olm.skipRange", graph.skipRange(release));
        out.put("operatorframework.io/suggested-namespace", release.namespace());
        out.put("operatorframework.io/suggested-namespace-template", Json.write(namespace()));
        out.put(
                "operators.operatorframework.io/internal-objects",
                Json.write(ListTree.ofTexts(internal)));
        return out;
    }

    /** Without a namespace: it is the one where the operator is. */
    private ObjectTree example(String name) throws IOException {
        return Yaml.read(read("samples/" + name + ".yaml"))
                .asObject()
                .without("metadata", "namespace");
    }

    /** The manifests' own, since privileged pods need its labels. */
    private ObjectTree namespace() {
        return named("Namespace").getFirst().json();
    }

    private Map<String, String> labels() {
        var labels = new LinkedHashMap<String, String>();
        for (var architecture : release.architectures()) {
            labels.put("operatorframework.io/arch." + architecture, "supported");
        }
        labels.put("operatorframework.io/os.linux", "supported");
        return labels;
    }

    private ObjectTree spec(ObjectTree base) throws IOException {
        var types = new OwnedTypes(named("CustomResourceDefinition"));
        return base.toBuilder()
                .put("version", release.version())
                .put("replaces", graph.predecessor())
                .put("minKubeVersion", oldestKubernetes())
                .put("description", read("olm/description.md"))
                .put("icon", ListTree.of(icon()))
                .put("customresourcedefinitions", ObjectTree.EMPTY.with(types.owned(), "owned"))
                .put("install", install())
                .put("webhookdefinitions", new Webhooks(objects).definitions())
                .put("relatedImages", relatedImages())
                .build();
    }

    ObjectTree icon() throws IOException {
        var picture = Files.readAllBytes(deploy.resolve("olm/icon.svg"));
        return ObjectTree.builder()
                .put("base64data", Base64.getEncoder().encodeToString(picture))
                .put("mediatype", "image/svg+xml")
                .build();
    }

    ListTree relatedImages() {
        return ListTree.of(
                ObjectTree.builder().put("name", "lvms").put("image", release.image()).build());
    }

    /** The chart knows it. */
    private String oldestKubernetes() throws IOException {
        var chart = Yaml.read(read("chart/Chart.yaml")).asObject();
        var range = KUBERNETES.matcher(chart.text("kubeVersion").orElseThrow());
        if (!range.matches()) {
            throw new IllegalArgumentException("kubeVersion of the chart is not >=VERSION-0");
        }
        return range.group(1);
    }

    private ObjectTree install() {
        var permissions = new Permissions(objects);
        var deployments = ListTree.builder();
        for (var deployment : named("Deployment")) {
            deployments.add(
                    ObjectTree.builder()
                            .put("name", deployment.name())
                            .put("label", ObjectTree.ofTexts(deployment.labels()))
                            .put("spec", withImage(deployment))
                            .build());
        }
        return ObjectTree.builder()
                .put("strategy", "deployment")
                .put(
                        "spec",
                        ObjectTree.builder()
                                .put("permissions", permissions.inNamespace())
                                .put("clusterPermissions", permissions.everywhere())
                                .put("deployments", deployments.build())
                                .build())
                .build();
    }

    private ObjectTree withImage(KubeObject deployment) {
        var containers = ListTree.builder();
        for (var container : deployment.objects("spec", "template", "spec", "containers")) {
            if (!container.text("image").orElseThrow().startsWith(OURS)) {
                throw new IllegalArgumentException("an image of others: " + container.at("image"));
            }
            containers.add(container.with(Tree.of(release.image()), "image"));
        }
        return deployment
                .with(containers.build(), "spec", "template", "spec", "containers")
                .object("spec")
                .orElseThrow();
    }

    private List<KubeObject> named(String kind) {
        return objects.stream().filter(o -> o.kind().equals(kind)).toList();
    }

    private String read(String file) throws IOException {
        return Files.readString(deploy.resolve(file));
    }
}
