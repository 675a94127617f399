package lvms.olm;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.k8s.yaml.YamlException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * Judges the files of a bundle by what registry+v1 documents, and by more than that where the tools
 * are silent: {@code opm} and {@code operator-sdk} are not needed for it.
 *
 * <p>Source: the Operator Framework's pages on the bundle format and on packaging, its registry's
 * list of kinds, its API's checks of a ClusterServiceVersion.
 */
final class BundleRules {
    private static final long MOST_BYTES = 1 << 20; // of a ConfigMap
    private static final Pattern PATH =
            Pattern.compile("(manifests|metadata)/[a-z0-9][a-z0-9._-]*[.]yaml");

    /** What each version of OLM takes that is in use; NetworkPolicy came later. */
    private static final Set<String> KINDS =
            Set.of(
                    "ClusterRole",
                    "ClusterRoleBinding",
                    "ClusterServiceVersion",
                    "ConfigMap",
                    "ConsoleYAMLSample",
                    "CustomResourceDefinition",
                    "PodDisruptionBudget",
                    "PriorityClass",
                    "PrometheusRule",
                    "Role",
                    "RoleBinding",
                    "Secret",
                    "Service",
                    "ServiceAccount",
                    "ServiceMonitor",
                    "VerticalPodAutoscaler");

    private static final String LABEL = "operators.operatorframework.io.bundle.";
    private static final Map<String, String> LABELS =
            Map.of(
                    "mediatype.v1", "registry[+]v1",
                    "manifests.v1", "manifests/",
                    "metadata.v1", "metadata/",
                    "package.v1", "[a-z0-9][a-z0-9-]*",
                    "channels.v1", "[a-z0-9.-]+(,[a-z0-9.-]+)*",
                    "channel.default.v1", "[a-z0-9.-]+");

    private final Map<String, String> files;
    private final List<KubeObject> objects = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();

    private BundleRules(Map<String, String> files) {
        this.files = files;
    }

    /** Returns what is wrong, a line for each. */
    static List<String> findings(Map<String, String> files) {
        var rules = new BundleRules(files);
        rules.read();
        if (rules.findings.isEmpty()) {
            rules.judge();
        }
        return rules.findings;
    }

    private void find(String finding) {
        findings.add(finding);
    }

    private void read() {
        files.forEach(
                (path, text) -> {
                    if (!PATH.matcher(path).matches()) {
                        find(path + ": not manifests/NAME.yaml or metadata/NAME.yaml");
                    } else if (path.startsWith("manifests/")) {
                        readManifest(path, text);
                    }
                });
        for (var name : List.of("annotations", "properties")) {
            if (!files.containsKey("metadata/" + name + ".yaml")) {
                find("metadata/" + name + ".yaml is missing");
            }
        }
    }

    private void readManifest(String path, String text) {
        try {
            var object = KubeObject.of(Yaml.read(text).asObject());
            boolean version = object.kind().equals("ClusterServiceVersion");
            if (!KINDS.contains(object.kind())) {
                find(path + ": a bundle cannot have a " + object.kind());
            }
            if (object.value("metadata", "namespace").isPresent()) {
                find(path + ": has a namespace");
            }
            if (version != path.endsWith(".clusterserviceversion.yaml")) {
                find(path + ": the name does not say what it is");
            }
            objects.add(object);
        } catch (YamlException | IllegalStateException e) {
            find(path + ": not one object: " + e.getMessage());
        }
    }

    private void judge() {
        var versions = of("ClusterServiceVersion");
        if (versions.size() != 1) {
            find(versions.size() + " ClusterServiceVersions, not 1");
            return;
        }
        var version = versions.getFirst();
        var labels = labels();
        var definitions = of("CustomResourceDefinition");
        findings.addAll(VersionRules.findings(version, labels.getOrDefault("package.v1", "")));
        findings.addAll(TypeRules.findings(version, definitions));
        findings.addAll(InstallRules.findings(version, objects));
        judgeProperties();
        of("PodDisruptionBudget").forEach(this::judgeBudget);
        judgeBindings();
        judgeSize();
    }

    private List<KubeObject> of(String kind) {
        return objects.stream().filter(o -> o.kind().equals(kind)).toList();
    }

    private Map<String, String> labels() {
        var all =
                Yaml.read(files.get("metadata/annotations.yaml")).asObject().textMap("annotations");
        var labels = new TreeMap<String, String>();
        all.forEach(
                (name, value) -> {
                    var known = name.replace(LABEL, "");
                    if (!LABELS.containsKey(known)) {
                        find("metadata/annotations.yaml: nothing is known of " + name);
                    }
                    labels.put(known, value);
                });
        LABELS.forEach(
                (name, pattern) -> {
                    var value = labels.getOrDefault(name, "");
                    if (!value.matches(pattern)) {
                        find("metadata/annotations.yaml: " + name + " is \"" + value + "\"");
                    }
                });
        var channels = Arrays.asList(labels.getOrDefault("channels.v1", "").split(","));
        var first = labels.getOrDefault("channel.default.v1", "");
        if (!channels.contains(first)) {
            find("metadata/annotations.yaml: default channel " + first + " is not in " + channels);
        }
        return labels;
    }

    private void judgeProperties() {
        var optional = new ArrayList<String>();
        for (var property :
                Yaml.read(files.get("metadata/properties.yaml")).asObject().objects("properties")) {
            var type = property.text("type").orElse("");
            if (!type.equals("olm.manifests.optional")) {
                find("metadata/properties.yaml: " + type + " is not ours to say");
            }
            property.objects("value", "manifests").forEach(m -> optional.add(id(m)));
        }
        var present =
                objects.stream()
                        .filter(o -> o.apiVersion().startsWith("monitoring.coreos.com/"))
                        .map(o -> "monitoring.coreos.com/" + o.kind() + "/" + o.name())
                        .toList();
        optional.stream()
                .filter(o -> !present.contains(o))
                .forEach(o -> find("metadata/properties.yaml: " + o + " is not in the bundle"));
        present.stream()
                .filter(o -> !optional.contains(o))
                .forEach(o -> find(o + " has to be optional: not each cluster has its type"));
    }

    private static String id(ObjectTree manifest) {
        return manifest.text("group").orElse("")
                + "/"
                + manifest.text("kind").orElse("")
                + "/"
                + manifest.text("name").orElse("");
    }

    /** One that lets no pod go keeps nodes from being updated. */
    private void judgeBudget(KubeObject budget) {
        if (Optional.of("0").equals(scalar(budget, "maxUnavailable"))
                || Optional.of("100%").equals(scalar(budget, "minAvailable"))) {
            find("PodDisruptionBudget " + budget.name() + " lets no pod go");
        }
    }

    private static Optional<String> scalar(KubeObject object, String field) {
        return object.value("spec", field).map(v -> v.asText().replace("0%", "0"));
    }

    private void judgeBindings() {
        for (var binding : objects) {
            if (binding.kind().endsWith("RoleBinding")) {
                var kind = binding.text("roleRef", "kind").orElse("");
                var name = binding.text("roleRef", "name").orElse("");
                if (of(kind).stream().noneMatch(role -> role.name().equals(name))) {
                    find(binding.kind() + " " + binding.name() + ": no " + kind + " " + name);
                }
            }
        }
    }

    /** OLM keeps the manifests in a ConfigMap, each compressed. */
    private void judgeSize() {
        long bytes = 0;
        for (var text : files.values()) {
            bytes += compressed(text);
        }
        if (bytes >= MOST_BYTES) {
            find(bytes + " bytes compressed, more than a ConfigMap holds");
        }
    }

    private static long compressed(String text) {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError("memory does not fail", e);
        }
        return (bytes.size() + 2) / 3 * 4L; // as base64
    }
}
