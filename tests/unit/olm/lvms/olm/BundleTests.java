package lvms.olm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The bundle holds what the manifests hold, and is as OLM wants it. */
class BundleTests {
    private static final Path DEPLOY = Path.of("deploy");
    private static final String QUARTER = "0123456789abcdef";
    private static final String PINNED =
            "registry.example.com:5000/storage/lvms:1.2@sha256:"
                    + (QUARTER + QUARTER + QUARTER + QUARTER);

    static List<Release> releases() {
        return List.of(
                Release.of("0.1.0", "localhost/lvms:0.1.0"),
                Release.of("1.2.3-rc.1", PINNED),
                Release.of("0.2.0", "registry.example.com/lvms")
                        .withNamespace("openshift-storage")
                        .withArchitectures(List.of("amd64", "arm64"))
                        .withBundleImage("registry.example.com/olm/lvms:7"));
    }

    private static Bundle bundle(Release release) throws IOException {
        return Bundle.of(DEPLOY, release);
    }

    private static Bundle first() throws IOException {
        return bundle(releases().getFirst());
    }

    private static List<KubeObject> read(String file) throws IOException {
        return Yaml.readAll(Files.readString(DEPLOY.resolve(file))).stream()
                .map(tree -> KubeObject.of(tree.asObject()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("releases")
    void nothingIsWrongWithIt(Release release) throws Exception {
        var bundle = bundle(release);
        assertEquals(List.of(), BundleRules.findings(bundle.files()));
        assertEquals(List.of(), CatalogRules.findings(catalog(bundle), "lvms-operator.v5.1.0"));
    }

    static String catalog(Bundle bundle) throws IOException {
        return Documents.of(bundle).get("catalog/catalog.yaml");
    }

    @Test
    void theSameInputsGiveTheSameBytes() throws Exception {
        assertEquals(Documents.of(first()), Documents.of(first()));
        for (var file : Documents.of(first()).entrySet()) {
            assertFalse(file.getValue().contains("\r"), file.getKey());
        }
    }

    @Test
    void theCommandWritesWhatItsWordsSay(@TempDir Path folder) throws Exception {
        Main.main(
                new String[] {
                    "to=" + folder,
                    "version=0.2.0",
                    "image=" + PINNED,
                    "bundle-image=registry.example.com/b:1",
                    "namespace=openshift-storage",
                    "architectures=amd64,arm64"
                });
        var release =
                Release.of("0.2.0", PINNED)
                        .withBundleImage("registry.example.com/b:1")
                        .withNamespace("openshift-storage")
                        .withArchitectures(List.of("amd64", "arm64"));
        var written = new TreeMap<String, String>();
        try (var files = Files.walk(folder)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                written.put(folder.relativize(file).toString(), Files.readString(file));
            }
        }
        assertEquals(Documents.of(bundle(release)), written);
        assertTrue(
                written.get("bundle.Dockerfile")
                        .contains("LABEL operators.operatorframework.io.bundle.package.v1="));
        assertTrue(written.get("catalog/catalog.yaml").contains("image: registry.example.com/b:1"));
    }

    /** As the rules of each account, inside the namespace and everywhere. */
    private static Set<String> granted(List<KubeObject> objects, boolean everywhere) {
        var granted = new TreeSet<String>();
        for (var binding : objects) {
            if (!binding.kind().equals(everywhere ? "ClusterRoleBinding" : "RoleBinding")) {
                continue;
            }
            var role = binding.object("roleRef").orElseThrow();
            for (var subject : binding.objects("subjects")) {
                for (var rule : rules(objects, role)) {
                    granted.add(subject.text("name").orElseThrow() + " " + rule);
                }
            }
        }
        granted.removeIf(line -> line.startsWith("prometheus-k8s ")); // whose role is a file
        return granted;
    }

    private static List<ObjectTree> rules(List<KubeObject> objects, ObjectTree role) {
        if (role.text("name").equals(Optional.of("system:auth-delegator"))) {
            return List.of(
                    rule("authentication.k8s.io", "tokenreviews"),
                    rule("authorization.k8s.io", "subjectaccessreviews"));
        }
        return objects.stream()
                .filter(o -> role.text("kind").equals(Optional.of(o.kind())))
                .filter(o -> role.text("name").equals(Optional.of(o.name())))
                .findFirst()
                .orElseThrow()
                .objects("rules");
    }

    private static ObjectTree rule(String group, String resource) {
        return Yaml.read(
                        "{apiGroups: [%s], resources: [%s], verbs: [create]}"
                                .formatted(group, resource))
                .asObject();
    }

    private static Set<String> packed(Bundle bundle, String list) {
        var packed = new TreeSet<String>();
        for (var permission : bundle.serviceVersion().objects("spec", "install", "spec", list)) {
            for (var rule : permission.objects("rules")) {
                packed.add(permission.text("serviceAccountName").orElseThrow() + " " + rule);
            }
        }
        return packed;
    }

    /** Every binding of these folders counts, in whichever file somebody writes a new one. */
    private static List<KubeObject> installed() throws IOException {
        var objects = new ArrayList<KubeObject>();
        for (var folder : List.of("base", "admission", "monitoring/base")) {
            try (var files = Files.walk(DEPLOY.resolve(folder))) {
                for (var file : files.sorted().toList()) {
                    if (file.toString().endsWith(".yaml")) {
                        objects.addAll(read(DEPLOY.relativize(file).toString()));
                    }
                }
            }
        }
        // the right to write its webhooks' authority, which OLM does here
        objects.removeIf(o -> o.name().equals("lvms-webhook-certificate"));
        return objects;
    }

    @Test
    void theAccountsMayDoWhatTheManifestsAllowAndNothingElse() throws Exception {
        var bundle = first();
        assertEquals(granted(installed(), false), packed(bundle, "permissions"));
        assertEquals(granted(installed(), true), packed(bundle, "clusterPermissions"));
        assertTrue(packed(bundle, "clusterPermissions").size() > 30);
    }

    @Test
    void itIsAskedWhatTheManifestsWebhooksAreAsked() throws Exception {
        var expected = new ArrayList<ObjectTree>();
        for (var configuration : read("admission/webhooks.yaml")) {
            for (var webhook : configuration.objects("webhooks")) {
                expected.add(
                        webhook.without("clientConfig")
                                .without("name")
                                .with(webhook.at("name"), "generateName")
                                .with(
                                        Tree.of(
                                                configuration
                                                        .kind()
                                                        .replace(
                                                                "WebhookConfiguration",
                                                                "AdmissionWebhook")),
                                        "type")
                                .with(webhook.at("clientConfig", "service", "path"), "webhookPath")
                                .with(Tree.of("lvms-operator"), "deploymentName")
                                .with(Tree.of(443), "containerPort")
                                .with(Tree.of(9443), "targetPort"));
            }
        }
        assertEquals(2, expected.size());
        assertEquals(expected, first().serviceVersion().objects("spec", "webhookdefinitions"));
    }

    @Test
    void theDeploymentIsThatOfTheManifests() throws Exception {
        var shipped = read("base/operator.yaml").getFirst();
        var containers = shipped.objects("spec", "template", "spec", "containers");
        var spec =
                shipped.object("spec")
                        .orElseThrow()
                        .with(Yaml.read("{type: Recreate}"), "strategy")
                        .with(
                                ListTree.of(containers.getFirst().with(Tree.of(PINNED), "image")),
                                "template",
                                "spec",
                                "containers");
        var packed =
                bundle(Release.of("0.1.0", PINNED))
                        .serviceVersion()
                        .objects("spec", "install", "spec", "deployments");
        assertEquals(1, packed.size());
        assertEquals(Optional.of(shipped.name()), packed.getFirst().text("name"));
        assertEquals(shipped.labels(), packed.getFirst().textMap("label"));
        assertEquals(spec, packed.getFirst().at("spec"));
    }

    /** A manifest that somebody adds is packed, or a line here says why not. */
    @Test
    void noManifestIsLost() throws Exception {
        var packed = new TreeSet<String>();
        for (var file : first().files().entrySet()) {
            if (file.getKey().startsWith("manifests/")) {
                var object = KubeObject.of(Yaml.read(file.getValue()).asObject());
                packed.add(object.kind() + "/" + object.name());
            }
        }
        var shipped = new TreeSet<String>();
        for (var object : installed()) {
            var within =
                    object.kind().equals("Kustomization") // the form of the folder
                            || object.kind().equals("Namespace") // suggested-namespace-template
                            || object.kind().equals("Deployment")
                            || object.kind().equals("ServiceAccount") // of permissions
                            || object.kind().endsWith("WebhookConfiguration") // webhookdefinitions
                            || object.name().equals("lvms-webhook-service") // OLM makes one
                            || object.kind().equals("NetworkPolicy") // not each OLM takes one
                            || object.name().equals("lvms-metrics-reviews") // clusterPermissions
                            || object.kind().contains("Role")
                                    && Set.of("lvms-operator", "vg-manager")
                                            .contains(object.name());
            if (!within) {
                shipped.add(object.kind() + "/" + object.name());
            }
        }
        shipped.add("ClusterServiceVersion/lvms-operator.v0.1.0");
        assertEquals(shipped, packed);
    }

    @Test
    void onlyWhatOpenShiftsPrometheusNeedsIsBound() throws Exception {
        var files = first().files();
        var binding =
                files.get("manifests/lvms-metrics_rbac.authorization.k8s.io_v1_rolebinding.yaml");
        assertTrue(binding.contains("namespace: openshift-monitoring"), binding);
        var monitor =
                files.get(
                        "manifests/lvms-operator-metrics-monitor_monitoring.coreos.com_v1"
                                + "_servicemonitor.yaml");
        assertTrue(monitor.contains("lvms-operator-metrics-service.openshift-lvm-storage.svc"));
        assertTrue(monitor.contains("caFile: "), monitor);
        assertFalse(monitor.contains("secret:"), monitor);
    }

    @ParameterizedTest(name = "{0} by 0.3.0: {1}")
    @CsvSource({
        "lvms-operator 4.17.9, false",
        "lvms-operator 4.18.0, true",
        "lvms-operator 4.20.1, true",
        "lvms-operator 5.1.0, true",
        "lvms-operator 5.1.7, true",
        "lvms-operator 5.2.0, false",
        "lvms-operator 0.1.0, true",
        "lvms-operator 0.2.9, true",
        "lvms-operator 0.3.0-rc.1, true",
        "lvms-operator 0.3.0, false",
        "lvms-operator 0.4.0, false"
    })
    void whoHasOneOfTheseIsUpdated(String installed, boolean updated) throws Exception {
        var bundle = bundle(Release.of("0.3.0", "localhost/lvms:0.3.0"));
        var range =
                KubeObject.of(bundle.serviceVersion()).annotation("olm.skipRange").orElseThrow();
        assertEquals(updated, VersionRange.of(range).includes(installed.split(" ")[1]));
        assertTrue(catalog(bundle).contains("skipRange: \"" + range + "\""), range);
    }

    @ParameterizedTest
    @CsvSource({PINNED + ", true", "registry.example.com/lvms:1, false"})
    void onlyAnImageByDigestCanBeMirrored(String image, String claimed) throws Exception {
        var version = KubeObject.of(bundle(Release.of("0.1.0", image)).serviceVersion());
        assertEquals(
                Optional.of(claimed),
                version.annotation("features.operators.openshift.io/disconnected"));
    }

    @Test
    void theCatalogueSaysOfTheBundleWhatIsInIt() throws Exception {
        var bundle = first();
        var documents = new Catalog(bundle).documents();
        var properties = documents.getLast().objects("properties");
        var types = new ArrayList<String>();
        for (var file : bundle.files().values()) {
            var object = KubeObject.of(Yaml.read(file).asObject());
            if (object.kind().equals("CustomResourceDefinition")) {
                types.add(
                        object.text("spec", "group").orElseThrow()
                                + " "
                                + object.text("spec", "names", "kind").orElseThrow());
            }
        }
        var named =
                properties.stream()
                        .filter(p -> p.text("type").equals(Optional.of("olm.gvk")))
                        .map(
                                p ->
                                        p.text("value", "group").orElseThrow()
                                                + " "
                                                + p.text("value", "kind").orElseThrow())
                        .toList();
        assertEquals(new TreeSet<>(types), new TreeSet<>(named));
        var shown = properties.getLast().object("value").orElseThrow();
        assertEquals(
                bundle.serviceVersion().at("metadata", "annotations"), shown.at("annotations"));
        assertEquals(bundle.serviceVersion().at("spec", "installModes"), shown.at("installModes"));
    }

    /** A console fills the form with these; one that is refused helps nobody. */
    @Test
    void theExamplesAreTheSamples() throws Exception {
        var version = KubeObject.of(first().serviceVersion());
        var examples =
                Json.parse(version.annotation("alm-examples").orElseThrow()).asList().objects();
        assertEquals(4, examples.size());
        assertEquals(
                read("samples/lvmcluster.yaml").getFirst().value("spec").get(),
                examples.getFirst().at("spec"));
    }

    static Stream<List<String>> wrongReleases() {
        return Stream.of(
                List.of("1.0", "localhost/lvms:1"),
                List.of("v1.0.0", "localhost/lvms:1"),
                List.of("1.0.0+build", "localhost/lvms:1"),
                List.of("1.0.0", "lvms"),
                List.of("1.0.0", "localhost/lvms@sha256:12"),
                List.of("1.0.0", "localhost/lvms:a b"));
    }

    @ParameterizedTest
    @MethodSource("wrongReleases")
    void aWrongVersionOrReferenceIsRefused(List<String> words) {
        assertThrows(
                IllegalArgumentException.class,
                () -> Release.of(words.getFirst(), words.getLast()));
    }

    private static void refuse(Path folder, String resource, String expected) throws IOException {
        var copy = folder.resolve("deploy");
        for (var part :
                List.of(
                        "base",
                        "admission",
                        "admission-openshift",
                        "monitoring",
                        "olm",
                        "chart",
                        "samples")) {
            copy(DEPLOY.resolve(part), copy.resolve(part));
        }
        Files.writeString(copy.resolve("olm/more.yaml"), resource);
        var list = copy.resolve("olm/kustomization.yaml");
        Files.writeString(
                list,
                Files.readString(list).replace("resources:\n", "resources:\n  - more.yaml\n"));
        var failure =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Bundle.of(copy, releases().getFirst()));
        assertEquals(expected, failure.getMessage());
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (var file :
                    files.filter(f -> f.toString().endsWith(".yaml") || from.endsWith("olm"))
                            .toList()) {
                if (Files.isRegularFile(file)) {
                    var target = to.resolve(from.relativize(file));
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        }
    }

    @Test
    void aKindThatOlmDoesNotTakeIsRefused(@TempDir Path folder) throws Exception {
        refuse(
                folder,
                "{apiVersion: v1, kind: LimitRange, metadata: {name: a}}",
                "a bundle cannot have a LimitRange");
    }

    @Test
    void aRoleThatIsNotThereIsRefused(@TempDir Path folder) throws Exception {
        refuse(
                folder,
                """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: a}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: gone}
                subjects: [{kind: ServiceAccount, name: vg-manager, namespace: lvms-system}]
                """,
                "role gone is not among the manifests");
    }

    @Test
    void aBindingOfOurAccountsAndOthersIsRefused(@TempDir Path folder) throws Exception {
        refuse(
                folder,
                """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: both}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: vg-manager}
                subjects:
                - {kind: ServiceAccount, name: vg-manager, namespace: lvms-system}
                - {kind: ServiceAccount, name: other, namespace: lvms-system}
                """,
                "both binds accounts of ours and others: split it");
    }

    @Test
    void aPatchThatHitsNothingIsRefused(@TempDir Path folder) throws Exception {
        Files.writeString(
                folder.resolve("kustomization.yaml"),
                """
                resources: []
                patches:
                - target: {kind: Deployment, name: gone}
                  patch: '[]'
                """);
        var failure =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new Kustomization(folder, text -> text).objects());
        assertEquals(folder + ": no Deployment gone to patch", failure.getMessage());
    }

    @Test
    void aKustomizationThatNobodyKnowsIsRefused(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("kustomization.yaml"), "namePrefix: a\n");
        var failure =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new Kustomization(folder, text -> text).objects());
        assertEquals(folder + ": nothing is known of namePrefix", failure.getMessage());
    }
}
