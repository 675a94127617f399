package lvms.olm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Each defect of a bundle or a catalogue is found, in one line that names it. */
class DefectTests {
    private static final String VERSION = "manifests/lvms-operator.clusterserviceversion.yaml";
    private static final String ANNOTATIONS = "metadata/annotations.yaml";
    private static final String CATALOG = "catalog";
    private static final String START = "lvms-operator.v5.1.0";
    private static final String HEAD = "lvms-operator.v0.1.0";
    private static final String CLUSTER = "lvmclusters.lvm.topolvm.io v1alpha1 LVMCluster";

    /** What is planted, and what is said about it. */
    record Defect(String finding, Consumer<Map<String, String>> plant) {
        @Override
        public String toString() {
            return finding;
        }
    }

    /** The first place where the text stands gets another one. */
    private static Defect edit(String file, String from, String to, String finding) {
        return new Defect(
                finding,
                files -> {
                    var text = files.get(file);
                    int at = text.indexOf(from);
                    if (at < 0) {
                        throw new AssertionError(file + " has no " + from);
                    }
                    files.put(
                            file, text.substring(0, at) + to + text.substring(at + from.length()));
                });
    }

    private static Defect version(String from, String to, String finding) {
        return edit(VERSION, from, to, finding);
    }

    private static Defect add(String file, String text, String finding) {
        return new Defect(finding, files -> files.put(file, text));
    }

    private static Defect drop(String file, String finding) {
        return new Defect(finding, files -> files.remove(file));
    }

    private static String object(String kind) {
        return "{apiVersion: v1, kind: %s, metadata: {name: a}}\n".formatted(kind);
    }

    /** What is judged in lists that have no second element. */
    static List<Defect> ofLists() {
        var type =
                "    - name: lvmvolumegroups.lvm.topolvm.io\n"
                        + "      version: v1alpha1\n"
                        + "      kind: LVMVolumeGroup\n";
        var twice = type.replace("volumegroups", "clusters").replace("VolumeGroup", "Cluster");
        var image = "  - name: lvms\n    image: localhost/lvms:0.1.0\n";
        var rules = "    timeoutSeconds: 5\n    rules:\n";
        var modes = "MultiNamespace, OwnNamespace, SingleNamespace]";
        return List.of(
                version(
                        "provider:\n    name:",
                        "provider:\n    url:",
                        "spec.provider.name is missing"),
                version("icon:\n", "icons:\n", "0 icons, not 1"),
                version(
                        "  - type: AllNamespaces\n    supported: false\n",
                        "",
                        "spec.installModes has [" + modes + ", not [AllNamespaces, " + modes),
                version(type, twice, CLUSTER + " is owned twice"),
                version("deployments:\n", "workloads:\n", "no deployments"),
                version(
                        image,
                        image + image,
                        "relatedImages: {\"name\":\"lvms\",\"image\":\"localhost/lvms:0.1.0\"}"),
                version(
                        rules,
                        rules.replace("rules", "asked"),
                        "webhook mlvmcluster.kb.io: no rules"),
                edit(
                        "metadata/properties.yaml",
                        "kind: PrometheusRule",
                        "kind: Prometheus",
                        "monitoring.coreos.com/PrometheusRule/prometheus-lvmo-rules has to be"
                                + " optional: not each cluster has its type"));
    }

    /** Texts that cannot be compressed. */
    private static String noise() {
        var bytes = new byte[1 << 20];
        new Random(1).nextBytes(bytes);
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: "
                + Base64.getEncoder().encodeToString(bytes)
                + "}}\n";
    }

    static List<Defect> ofTheForm() {
        return List.of(
                add(
                        "manifests/A.yaml",
                        object("ConfigMap"),
                        "manifests/A.yaml: not manifests/NAME.yaml or metadata/NAME.yaml"),
                add(
                        "manifests/a/b.yaml",
                        object("ConfigMap"),
                        "manifests/a/b.yaml: not manifests/NAME.yaml or metadata/NAME.yaml"),
                add(
                        "manifests/a.yaml",
                        object("DaemonSet"),
                        "manifests/a.yaml: a bundle cannot have a DaemonSet"),
                add(
                        "manifests/a.yaml",
                        object("NetworkPolicy"),
                        "manifests/a.yaml: a bundle cannot have a NetworkPolicy"),
                add(
                        "manifests/a.yaml",
                        "{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: b}}",
                        "manifests/a.yaml: has a namespace"),
                add(
                        "manifests/a.yaml",
                        object("Secret") + "---\n" + object("Secret"),
                        "manifests/a.yaml: not one object: line 3: expected one document, found a"
                                + " second"),
                add(
                        "manifests/a.yaml",
                        object("ClusterServiceVersion"),
                        "manifests/a.yaml: the name does not say what it is"),
                add(
                        "manifests/a.clusterserviceversion.yaml",
                        object("ClusterServiceVersion"),
                        "2 ClusterServiceVersions, not 1"),
                drop(VERSION, "0 ClusterServiceVersions, not 1"),
                drop(ANNOTATIONS, "metadata/annotations.yaml is missing"),
                drop("metadata/properties.yaml", "metadata/properties.yaml is missing"),
                edit(
                        ANNOTATIONS,
                        "registry+v1",
                        "helm",
                        "metadata/annotations.yaml: mediatype.v1 is \"helm\""),
                edit(
                        ANNOTATIONS,
                        "package.v1",
                        "package.v2",
                        "metadata/annotations.yaml: nothing is known of"
                                + " operators.operatorframework.io.bundle.package.v2"),
                edit(
                        ANNOTATIONS,
                        "channels.v1: stable",
                        "channels.v1: fast",
                        "metadata/annotations.yaml: default channel stable is not in [fast]"),
                edit(
                        ANNOTATIONS,
                        "manifests/",
                        "/manifests",
                        "metadata/annotations.yaml: manifests.v1 is \"/manifests\""),
                edit(
                        "metadata/properties.yaml",
                        "olm.manifests.optional",
                        "olm.gvk",
                        "metadata/properties.yaml: olm.gvk is not ours to say"),
                edit(
                        "metadata/properties.yaml",
                        "prometheus-lvmo-rules",
                        "gone",
                        "metadata/properties.yaml: monitoring.coreos.com/PrometheusRule/gone is not"
                                + " in the bundle"),
                edit(
                        "manifests/lvms-operator_policy_v1_poddisruptionbudget.yaml",
                        "maxUnavailable: 1",
                        "maxUnavailable: 0",
                        "PodDisruptionBudget lvms-operator lets no pod go"),
                drop(
                        "manifests/metrics-reader_rbac.authorization.k8s.io_v1_clusterrole.yaml",
                        "ClusterRoleBinding lvms-metrics-reader: no ClusterRole metrics-reader"));
    }

    static List<Defect> ofTheVersion() {
        var modes = "- type: AllNamespaces\n    supported: false";
        return List.of(
                version(
                        "version: 0.1.0",
                        "version: v0.1.0",
                        "spec.version is \"v0.1.0\", not a version"),
                version(
                        "name: lvms-operator.v0.1.0",
                        "name: lvms-operator.v0.1.1",
                        "lvms-operator.v0.1.1 is not lvms-operator.v0.1.0"),
                version(
                        "minKubeVersion: 1.31.0",
                        "minKubeVersion: \"1.31\"",
                        "spec.minKubeVersion is \"1.31\", not a version"),
                version(
                        "displayName: Local volumes through LVM",
                        "displayName: \"\"",
                        "spec.displayName is missing"),
                version(
                        "replaces: lvms-operator.v5.1.0",
                        "replaces: lvms-operator.v5",
                        "spec.replaces is \"lvms-operator.v5\""),
                version(
                        "replaces: lvms-operator.v5.1.0",
                        "replaces: lvms-operator.v0.1.0",
                        "spec.replaces is \"lvms-operator.v0.1.0\""),
                version(
                        "replaces: lvms-operator.v5.1.0",
                        "replaces: lvms-operator.v4.17.0",
                        "olm.skipRange lacks lvms-operator.v4.17.0"),
                version("<0.1.0 ||", "<=0.1.0 ||", "olm.skipRange includes the version itself"),
                version(
                        "<0.1.0 ||",
                        "<0.1 ||",
                        "olm.skipRange is \">=0.0.1 <0.1 || >=4.18.0 <5.2.0\", not a range"),
                version(
                        modes,
                        "- type: OwnNamespace\n    supported: false",
                        "spec.installModes names OwnNamespace twice"),
                version("supported: true", "supported: false", "spec.installModes supports none"),
                version(
                        "capabilities: Seamless Upgrades",
                        "capabilities: Everything",
                        "capabilities is \"Everything\""),
                version("categories: Storage", "categories: Disks", "categories is not Storage"),
                version(
                        "openshift.io/csi: \"true\"",
                        "openshift.io/csi: \"yes\"",
                        "features.operators.openshift.io/csi is \"yes\""),
                version(
                        "fips-compliant: \"false\"",
                        "fips-compliant: \"true\"",
                        "fips-compliant is claimed"),
                version("arch.amd64: supported", "arch.x86: supported", "architectures are [x86]"),
                version(
                        "suggested-namespace: openshift-lvm-storage",
                        "suggested-namespace: other",
                        "suggested-namespace-template is not of namespace other"),
                version(
                        "enforce\\\":\\\"privileged",
                        "enforce\\\":\\\"baseline",
                        "suggested-namespace-template admits no privileged pods"),
                version(
                        "suggested-namespace-template: \"{",
                        "suggested-namespace-template: \"",
                        "suggested-namespace-template is not JSON"),
                version(
                        "mediatype: image/svg+xml",
                        "mediatype: image/png",
                        "the icon is not image/png"),
                version("base64data: PHN2", "base64data: PHN#", "the icon is not base64"));
    }

    static List<Defect> ofTheTypes() {
        return List.of(
                version(
                        "displayName: LVM Cluster",
                        "displayName: \"\"",
                        CLUSTER + " has no displayName"),
                version(
                        "description: \"Local volumes of the nodes",
                        "about: \"Local volumes of the nodes",
                        CLUSTER + " has no description"),
                version(
                        "version: v1alpha1\n      kind: LVMCluster",
                        "version: v1\n      kind: LVMCluster",
                        "lvmclusters.lvm.topolvm.io v1 LVMCluster is owned, but has no definition"),
                drop(
                        "manifests/topolvm.io_logicalvolumes.yaml",
                        "logicalvolumes.topolvm.io v1 LogicalVolume is owned, but has no"
                                + " definition"),
                edit(
                        "manifests/topolvm.io_logicalvolumes.yaml",
                        "- name: v1\n",
                        "- name: v2\n",
                        "logicalvolumes.topolvm.io v2 LogicalVolume is defined, but not owned"),
                version(
                        "path: storage.deviceClasses\n",
                        "path: storage.classes\n",
                        CLUSTER + ": spec.storage.classes is not in the schema"),
                version(
                        "storage.deviceClasses[0].default",
                        "storage.deviceClasses[0].name",
                        CLUSTER + ": spec.storage.deviceClasses[0].name is described twice"),
                version(
                        "displayName: Tolerations\n",
                        "title: Tolerations\n",
                        CLUSTER + ": spec.tolerations has no displayName"),
                version("alm-examples: \"[{", "alm-examples: \"[", "alm-examples is not JSON"),
                version(
                        "alm-examples: \"[{\\\"apiVersion\\\":\\\"lvm.topolvm.io/v1alpha1",
                        "alm-examples: \"[{\\\"apiVersion\\\":\\\"lvm.topolvm.io/v1",
                        "alm-examples: LVMCluster is not owned"),
                version(
                        "sizePercent",
                        "size",
                        "operatorframework.io/initialization-resource: no field size"),
                version(
                        "[\\\"lvmvolumegroups.",
                        "[\\\"groups.",
                        "operators.operatorframework.io/internal-objects: groups.lvm.topolvm.io is"
                                + " not owned"));
    }

    static List<Defect> ofTheInstallation() {
        return List.of(
                version(
                        "strategy: deployment",
                        "strategy: helm",
                        "spec.install.strategy is not deployment"),
                version(
                        "serviceAccountName: lvms-operator\n              automount",
                        "serviceAccountName: other\n              automount",
                        "Deployment lvms-operator: no permissions for \"other\""),
                version(
                        "          verbs:\n          - patch\n",
                        "",
                        "permissions of lvms-operator: half a rule"
                                + " {\"apiGroups\":[\"lvm.topolvm.io\"],\"resources\":["
                                + "\"lvmclusters\"]}"),
                version(
                        "          verbs:\n          - patch\n",
                        "          verbs:\n          - \"*\"\n",
                        "permissions of lvms-operator: a rule of everything"
                                + " {\"apiGroups\":[\"lvm.topolvm.io\"],\"resources\":["
                                + "\"lvmclusters\"],"
                                + "\"verbs\":[\"*\"]}"),
                add(
                        "manifests/a.yaml",
                        "{apiVersion: v1, kind: ServiceAccount, metadata: {name: vg-manager}}",
                        "ServiceAccount vg-manager is a file and in permissions"),
                version(
                        "matchLabels:\n              app.kubernetes.io/name: lvms-operator",
                        "matchLabels:\n              app.kubernetes.io/name: other",
                        "Deployment lvms-operator does not select its pods"),
                version(
                        "image: localhost/lvms:0.1.0\n                image",
                        "image: localhost/other:1\n                image",
                        "localhost/other:1 is not in relatedImages"),
                version(
                        "  - name: lvms\n    image: localhost/lvms:0.1.0\n",
                        "  - name: lvms\n"
                                + "    image: localhost/lvms:0.1.0\n"
                                + "  - name: b\n"
                                + "    image: localhost/b:1\n",
                        "localhost/b:1 is in relatedImages, and not used"),
                version(
                        "disconnected: \"false\"",
                        "disconnected: \"true\"",
                        "disconnected is claimed, but not each image has a digest"),
                version(
                        "deploymentName: lvms-operator",
                        "deploymentName: webhooks",
                        "webhook mlvmcluster.kb.io: no Deployment webhooks"),
                version(
                        "generateName: mlvmcluster",
                        "generateName: vlvmcluster",
                        "webhook \"vlvmcluster.kb.io\": no name of its own"),
                version(
                        "type: MutatingAdmissionWebhook",
                        "type: MutatingWebhook",
                        "webhook mlvmcluster.kb.io: type MutatingWebhook"),
                version(
                        "targetPort: 9443",
                        "targetPort: webhooks",
                        "webhook mlvmcluster.kb.io: targetPort is \"webhooks\""),
                version(
                        "containerPort: 443",
                        "containerPort: 70000",
                        "webhook mlvmcluster.kb.io: containerPort is 70000"),
                version(
                        "webhookPath: /mutate",
                        "webhookPath: mutate",
                        "webhook mlvmcluster.kb.io: webhookPath"),
                version(
                        "sideEffects: None",
                        "sideEffects: Some",
                        "webhook mlvmcluster.kb.io: sideEffects or admissionReviewVersions"),
                version(
                        "    rules:\n    - apiGroups:\n      - lvm.topolvm.io",
                        "    rules:\n    - apiGroups:\n      - \"*\"",
                        "webhook mlvmcluster.kb.io: OLM refuses rules of group *"));
    }

    static List<Defect> ofTheCatalogue() {
        var entry = "- name: " + HEAD + "\n  replaces: " + START;
        var skip = "\n  skipRange: \">=0.0.1 <0.1.0 || >=4.18.0 <5.2.0\"\n";
        return List.of(
                edit(
                        CATALOG,
                        "schema: olm.bundle",
                        "schema: olm.image",
                        "schema olm.image is not known"),
                edit(
                        CATALOG,
                        "---\nschema: olm.channel",
                        "---\n"
                                + "schema: olm.package\n"
                                + "name: b\n"
                                + "package: lvms-operator\n"
                                + "---\n"
                                + "schema: olm.channel",
                        "2 packages, not 1"),
                edit(
                        CATALOG,
                        "defaultChannel: stable",
                        "defaultChannel: fast",
                        "default channel fast?"),
                edit(
                        CATALOG,
                        "  base64data: ",
                        "  data: ",
                        "the package lacks icon or description"),
                edit(
                        CATALOG,
                        "package: lvms-operator",
                        "package: other",
                        "package other is not lvms-operator"),
                edit(
                        CATALOG,
                        "image: localhost/lvms-bundle:0.1.0",
                        "image: localhost/other:1",
                        HEAD + ": its image is missing, or not in relatedImages"),
                edit(
                        CATALOG,
                        "- name: lvms\n  image: localhost/lvms:0.1.0\n",
                        "",
                        HEAD + ": relatedImages lacks the operator's"),
                edit(
                        CATALOG,
                        "- type: olm.package",
                        "- type: olm.version",
                        HEAD + ": nothing is known of property olm.version"),
                edit(
                        CATALOG,
                        "version: 0.1.0",
                        "version: 0.1.1",
                        HEAD
                                + ": olm.package is"
                                + " {\"packageName\":\"lvms-operator\",\"version\":\"0.1.1\"}"),
                edit(
                        CATALOG,
                        "- type: olm.csv.metadata",
                        "- type: olm.manifests.optional",
                        HEAD + ": 0 of olm.csv.metadata"),
                edit(CATALOG, entry, entry + skip + entry, "entry " + HEAD + " is there twice"),
                edit(
                        CATALOG,
                        "entries:\n- name: " + HEAD,
                        "entries:\n- name: lvms-operator.v0.0.9",
                        "entry lvms-operator.v0.0.9 has no bundle"),
                edit(
                        CATALOG,
                        "entries:\n- name: " + HEAD,
                        "entries:\n- name: lvms-operator.v0.0.9",
                        HEAD + " is in no channel"),
                edit(
                        CATALOG,
                        entry,
                        "- name: lvms-operator.v0.0.9\n  replaces: " + START + skip + entry,
                        "channel stable: heads [lvms-operator.v0.0.9, " + HEAD + "]"),
                edit(
                        CATALOG,
                        entry,
                        "- name: " + HEAD + "\n  replaces: " + HEAD,
                        "channel stable: heads []"),
                edit(
                        CATALOG,
                        "replaces: " + START,
                        "replaces: lvms-operator.v0.0.9",
                        "the graph begins with \"lvms-operator.v0.0.9\", not with " + START),
                edit(
                        CATALOG,
                        entry,
                        "- name: a.v0.0.1\n  replaces: a.v0.0.2"
                                + skip
                                + "- name: a.v0.0.2\n  replaces: a.v0.0.1"
                                + skip
                                + entry,
                        "no way to [a.v0.0.1, a.v0.0.2]"),
                edit(
                        CATALOG,
                        "<0.1.0 ||",
                        "<0.1 ||",
                        "entry " + HEAD + ": skipRange \">=0.0.1 <0.1 || >=4.18.0 <5.2.0\""),
                edit(CATALOG, "<0.1.0 ||", "<9.0.0 ||", "entry " + HEAD + " skips itself"));
    }

    static List<Defect> ofTheBundle() {
        var all = new ArrayList<Defect>();
        all.addAll(ofTheForm());
        all.addAll(ofTheVersion());
        all.addAll(ofTheTypes());
        all.addAll(ofTheInstallation());
        all.addAll(ofLists());
        return all;
    }

    private static Bundle bundle() throws Exception {
        return Bundle.of(Path.of("deploy"), Release.of("0.1.0", "localhost/lvms:0.1.0"));
    }

    @ParameterizedTest
    @MethodSource("ofTheBundle")
    void isFoundInABundle(Defect defect) throws Exception {
        var files = new TreeMap<>(bundle().files());
        defect.plant().accept(files);
        requireFound(defect, BundleRules.findings(files));
    }

    @ParameterizedTest
    @MethodSource("ofTheCatalogue")
    void isFoundInACatalogue(Defect defect) throws Exception {
        var files = new TreeMap<>(Map.of(CATALOG, BundleTests.catalog(bundle())));
        defect.plant().accept(files);
        requireFound(defect, CatalogRules.findings(files.get(CATALOG), START));
    }

    private static void requireFound(Defect defect, List<String> findings) {
        var found = findings.stream().filter(defect.finding()::equals).toList();
        assertEquals(List.of(defect.finding()), found, () -> "found " + findings);
    }

    @Test
    void aBundleThatNoConfigMapHoldsIsFound() throws Exception {
        var files = new TreeMap<>(bundle().files());
        files.put("manifests/a.yaml", noise());
        var findings = BundleRules.findings(files);
        assertEquals(1, findings.size(), findings.toString());
        assertEquals(
                "bytes compressed, more than a ConfigMap holds",
                findings.getFirst().replaceFirst("\\d+ ", ""));
    }
}
