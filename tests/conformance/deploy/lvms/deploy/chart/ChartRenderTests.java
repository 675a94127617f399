package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.deploy.Admin;
import lvms.deploy.Roles;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What the real Helm makes of the chart and its values, without a cluster. */
class ChartRenderTests {
    /** What a rendered object has more than the manifest that it comes from. */
    private static final Set<String> OF_HELM =
            Set.of("helm.sh/chart", "app.kubernetes.io/version", "app.kubernetes.io/managed-by");

    private static final Path ALONE = Path.of("tests/integration/topolvm-alone-roles.yaml");
    private static final Path THEIRS = Path.of("../shared/peers/topolvm");

    @TempDir private Path folder;
    private Helm helm;

    @BeforeEach
    void noCluster() {
        helm = new Helm(folder.resolve("none"), folder);
    }

    @Test
    void helmFindsNothingToSayAboutTheChart() throws Exception {
        var said = helm.succeed("lint", "--strict", Helm.chart().toString());
        assertTrue(said.contains("1 chart(s) linted, 0 chart(s) failed"), said);
        assertFalse(said.contains("[WARNING]"), said);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"deploy/admission, false", "deploy/admission-cert-manager, true"})
    void lvmsIsTheManifestsOfDeploy(String admission, String certManager) throws Exception {
        var rendered =
                Helm.objects(
                        helm.succeed(
                                "template",
                                "lvms",
                                Helm.chart().toString(),
                                "--namespace=lvms-system",
                                "--set=mode=lvms,lvms.admission.enabled=true",
                                "--set=lvms.admission.certManager=" + certManager));
        var kubectl = new Admin(folder.resolve("none"), folder);
        var manifests = new TreeMap<String, KubeObject>();
        for (var part : List.of("deploy", "deploy/guard", admission)) {
            manifests.putAll(Helm.objects(kubectl.succeed("kustomize", part)));
        }
        manifests.remove("Namespace/lvms-system"); // helm install --create-namespace
        assertEquals(manifests.keySet(), new TreeSet<>(rendered.keySet()));
        for (var manifest : manifests.entrySet()) {
            assertEquals(
                    withoutHelm(manifest.getValue()),
                    withoutHelm(rendered.get(manifest.getKey())),
                    manifest.getKey());
        }
    }

    private static ObjectTree withoutHelm(KubeObject object) {
        var labels = new TreeMap<>(object.labels());
        labels.keySet().removeAll(OF_HELM);
        var annotations = new TreeMap<>(object.annotations());
        annotations.remove("helm.sh/resource-policy");
        return object.without("metadata", "labels")
                .without("metadata", "annotations")
                .with(labels.toString(), "labels")
                .with(annotations.toString(), "annotations")
                .json();
    }

    @Test
    void lvmsOfAnotherNamespaceIsThereEverywhere() throws Exception {
        var rendered =
                helm.succeed(
                        "template",
                        "lvms",
                        Helm.chart().toString(),
                        "--namespace=openshift-storage",
                        "--set=mode=lvms,lvms.admission.enabled=true,"
                                + "lvms.admission.certManager=true");
        assertFalse(rendered.contains("lvms-system"), rendered);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "rendered-default.yaml, useLegacy=false",
        "rendered-legacy.yaml, useLegacy=true",
        "rendered-scheduler.yaml,"
                + " 'scheduler.enabled=true,webhook.podMutatingWebhook.enabled=true'"
    })
    void theObjectsAreThoseOfTopolvmAndSelectTheSamePods(String theirs, String values)
            throws Exception {
        assumeTrue(Files.exists(THEIRS), "there is no rendered chart of TopoLVM in " + THEIRS);
        var their = Helm.objects(Files.readString(THEIRS.resolve(theirs)));
        var our = Helm.objects(helm.template("--set=" + values));
        var gone = new TreeSet<>(their.keySet());
        gone.removeAll(our.keySet());
        gone.removeIf(name -> name.matches(".*-(external|csi)-(provis|resiz|snapshot).*"));
        gone.removeIf(name -> name.matches(".*/(csi|external)-(resizer|snapshotter)-.*"));
        // lvmd is in the agents
        assertEquals(Set.of("DaemonSet/topolvm-lvmd-0", "ServiceAccount/topolvm-lvmd"), gone);
        for (var name : our.keySet()) {
            if (their.containsKey(name)) {
                var before = their.get(name);
                var after = our.get(name);
                assertEquals(before.apiVersion(), after.apiVersion(), name);
                assertEquals(before.namespace(), after.namespace(), name);
                assertEquals(before.value("spec", "selector"), after.value("spec", "selector"));
                assertTrue(after.labels().keySet().containsAll(before.labels().keySet()), name);
            }
        }
    }

    @Test
    void eachKindOfNodesHasOneAgentWithItsFile() throws Exception {
        var objects = rendered("kinds-of-nodes.yaml");
        var first = objects.get("DaemonSet/topolvm-node");
        var second = objects.get("DaemonSet/topolvm-lvmd-1");
        assertEquals(
                Map.of("kubernetes.io/os", "linux", "node.example.com/disks", "nvme"),
                first.textMap("spec", "template", "spec", "nodeSelector"));
        assertEquals(
                Map.of("kubernetes.io/os", "linux", "node.example.com/disks", "hdd"),
                second.textMap("spec", "template", "spec", "nodeSelector"));
        assertEquals("topolvm-lvmd-0", fileOf(first));
        assertEquals("topolvm-lvmd-1", fileOf(second));
        assertTrue(
                objects.get("ConfigMap/topolvm-lvmd-1")
                        .text("data", "lvmd.yaml")
                        .orElseThrow()
                        .contains("volume-group: slow"));
        assertFalse(objects.containsKey("DaemonSet/topolvm-lvmd-0"));
        for (var agent : List.of(first, second)) {
            assertEquals(1, agent.objects("spec", "template", "spec", "containers").size());
        }
    }

    private static String fileOf(KubeObject agent) {
        return agent.objects("spec", "template", "spec", "volumes").stream()
                .flatMap(volume -> volume.text("configMap", "name").stream())
                .collect(Collectors.joining());
    }

    private Map<String, KubeObject> rendered(String example) throws Exception {
        return Helm.objects(helm.template("--values=" + Helm.EXAMPLES.resolve(example)));
    }

    @Test
    void anLvmdOfTheNodeIsAskedOverItsSocket() throws Exception {
        var objects = rendered("lvmd-of-the-node.yaml");
        var agent = objects.get("DaemonSet/topolvm-node");
        var command = command(agent);
        assertTrue(command.contains("--lvmd-socket=/run/topolvm/lvmd.sock"), command.toString());
        assertFalse(command.contains("--embed-lvmd"), command.toString());
        assertFalse(objects.containsKey("ConfigMap/topolvm-lvmd-0"));
    }

    private static List<String> command(KubeObject workload) {
        return workload.objects("spec", "template", "spec", "containers")
                .getFirst()
                .list("command")
                .texts();
    }

    @Test
    void whatUsersSaidOfTheirPodsCountsForOurs() throws Exception {
        var agent = rendered("former-values.yaml").get("DaemonSet/topolvm-node");
        var container = agent.objects("spec", "template", "spec", "containers").getFirst();
        var resources = container.object("resources").orElseThrow();
        assertEquals("100Mi", resources.text("requests", "memory").orElseThrow());
        assertEquals("512Mi", resources.text("limits", "memory").orElseThrow());
        assertTrue(command(agent).contains("--v=2"));
        assertEquals(
                0,
                agent.number("spec", "template", "spec", "securityContext", "runAsUser")
                        .orElseThrow(),
                "the image's user is not root");
        var names = container.objects("env").stream().map(v -> v.text("name").orElseThrow());
        assertEquals(
                List.of(
                        "LVM_SUPPRESS_FD_WARNINGS",
                        "LVM_SYSTEM_DIR",
                        "NODE_NAME",
                        "MODPROBE_OPTIONS"),
                names.toList());
        assertTrue(
                container.objects("volumeMounts").stream()
                        .anyMatch(m -> m.text("mountPath").orElse("").equals("/tmp/lvm/")));
    }

    /** What those files allow is what the processes ask for: tests of theirs hold them to it. */
    @Test
    void theAccountsMayDoWhatTheirProcessesDoAndNoMore() throws Exception {
        var objects = Helm.objects(helm.template());
        var controller = allowed(objects.get("ClusterRole/topolvm-system:controller"));
        controller.addAll(allowed(objects.get("Role/leader-election")));
        controller.addAll(allowed(objects.get("Role/external-provisioner-cfg")));
        var asked = new TreeSet<String>();
        for (var role : Helm.objects(Files.readString(ALONE)).values()) {
            asked.addAll(allowed(role));
        }
        // beside sidecars, where TopoLVM's chart grants no patch, it updates
        asked.addAll(List.of("update /persistentvolumeclaims ", "update /pods "));
        assertEquals(asked, controller);
        var agent = new TreeSet<String>();
        for (var object : Yaml.readAll(Files.readString(Roles.AGENT))) {
            agent.addAll(allowed(KubeObject.of(object.asObject())));
        }
        agent.removeIf(right -> right.contains("lvm.topolvm.io/"));
        agent.add("get storage.k8s.io/csidrivers ");
        assertEquals(agent, allowed(objects.get("ClusterRole/topolvm-system:node")));
    }

    /** TopoLVM's chart starts no csi-snapshotter then, and gives the provisioner no such flag. */
    @Test
    void withoutSnapshotsAndCapacityThereAreNeitherWorkNorRights() throws Exception {
        var objects =
                Helm.objects(
                        helm.template(
                                "--set=snapshot.enabled=false,"
                                        + "controller.storageCapacityTracking.enabled=false"));
        var command = command(objects.get("Deployment/topolvm-controller"));
        assertTrue(command.contains("--enable-snapshots=false"), command.toString());
        assertTrue(command.contains("--enable-capacity=false"), command.toString());
        var rights = allowed(objects.get("ClusterRole/topolvm-system:controller"));
        rights.addAll(allowed(objects.get("Role/external-provisioner-cfg")));
        assertEquals(
                Set.of(),
                rights.stream()
                        .filter(r -> r.matches(".*(snapshot|customres|csistorage|replicaset).*"))
                        .collect(Collectors.toSet()));
        assertEquals(
                Optional.of(false),
                objects.get("CSIDriver/topolvm.io").flag("spec", "storageCapacity"));
        var usual = command(Helm.objects(helm.template()).get("Deployment/topolvm-controller"));
        assertTrue(
                usual.stream()
                        .noneMatch(
                                w ->
                                        w.startsWith("--enable-")
                                                && !w.equals("--enable-webhooks=false")),
                usual.toString());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "snapshot.enabled=true | none",
                "controller.args={--secure-metrics-server} | controller",
                "controller.args={-secure-metrics-server=true} | controller",
                "controller.args={--secure-metrics-server=false} | none",
                "controller.profiling.bindAddress=:6060 | controller",
                "controller.profiling.bindAddress=localhost:6060 | none",
                "node.args={--secure-metrics-server} | node",
                "lvmd.args={--secure-metrics-server} | node",
                "lvmd.profiling.bindAddress=:6060 | node",
                "node.profiling.bindAddress=127.0.0.1:6060 | none",
            })
    void onlyWhoGuardsPagesAsksWhoMayReadThem(String value, String account) throws Exception {
        var objects = Helm.objects(helm.template("--set=" + value));
        for (var each : List.of("controller", "node")) {
            var asks =
                    allowed(objects.get("ClusterRole/topolvm-system:" + each)).stream()
                            .filter(right -> right.contains("reviews"))
                            .toList();
            assertEquals(
                    each.equals(account)
                            ? List.of(
                                    "create authentication.k8s.io/tokenreviews ",
                                    "create authorization.k8s.io/subjectaccessreviews ")
                            : List.of(),
                    asks,
                    each);
        }
    }

    /** Whoever waits for the taint to go must not wait for it to start. */
    @Test
    void theStartUpTaintIsToleratedAndTakenOffOnlyIfThatIsAskedFor() throws Exception {
        var flag = "--startup-taint=lvms.topolvm.io/agent-not-ready";
        var toleration = "lvms.topolvm.io/agent-not-ready";
        var on = "--set=startupTaint.enabled=true";
        var topolvm = Helm.objects(helm.template(on));
        assertTrue(command(topolvm.get("Deployment/topolvm-controller")).contains(flag));
        for (var name : List.of("Deployment/topolvm-controller", "DaemonSet/topolvm-node")) {
            assertTrue(tolerated(topolvm.get(name)).contains(toleration), name);
        }
        assertFalse(helm.template().contains(toleration));
        var other = "startup-taint.cluster-autoscaler.kubernetes.io/lvms";
        var lvms =
                Helm.objects(
                        helm.template("--set=mode=lvms", on, "--set=startupTaint.key=" + other));
        assertTrue(arguments(lvms).contains("--startup-taint=" + other));
        assertTrue(tolerated(lvms.get("Deployment/lvms-operator")).contains(other));
    }

    @Test
    void claimsAreDisposableOnlyIfATimeIsNamed() throws Exception {
        var on = "--set=disposableAfter=2m";
        var flag = "--disposable-after=2m";
        var topolvm = Helm.objects(helm.template(on));
        assertTrue(command(topolvm.get("Deployment/topolvm-controller")).contains(flag));
        assertFalse(helm.template().contains("--disposable-after"));
        assertTrue(arguments(Helm.objects(helm.template("--set=mode=lvms", on))).contains(flag));
        assertFalse(helm.template("--set=mode=lvms").contains("--disposable-after"));
    }

    private static List<String> tolerated(KubeObject workload) {
        return workload.objects("spec", "template", "spec", "tolerations").stream()
                .map(toleration -> toleration.text("key").orElse(""))
                .toList();
    }

    @Test
    void grantsOfOtherNamespacesAreReadOnlyIfThatIsAskedFor() throws Exception {
        var grants = "list gateway.networking.k8s.io/referencegrants ";
        var flag = "--cross-namespace-volume-data-source";
        var on = "--set=crossNamespaceVolumeDataSource.enabled=true";
        var topolvm = Helm.objects(helm.template(on));
        assertTrue(allowed(topolvm.get("ClusterRole/topolvm-system:controller")).contains(grants));
        assertTrue(command(topolvm.get("Deployment/topolvm-controller")).contains(flag));
        assertFalse(helm.template().contains("referencegrants"));
        var lvms = Helm.objects(helm.template("--set=mode=lvms", on));
        assertEquals(
                Set.of(grants), allowed(lvms.get("ClusterRole/lvms-operator-reference-grants")));
        var kubectl = new Admin(folder.resolve("none"), folder);
        var manifests = Helm.objects(kubectl.succeed("kustomize", "deploy/cross-namespace"));
        var role = "ClusterRole/lvms-operator-reference-grants";
        assertEquals(withoutHelm(manifests.get(role)), withoutHelm(lvms.get(role)));
        var subject =
                lvms.get("ClusterRoleBinding/lvms-operator-reference-grants")
                        .objects("subjects")
                        .getFirst();
        assertEquals("topolvm-system", subject.text("namespace").orElseThrow());
        assertTrue(arguments(lvms).contains(flag), arguments(lvms).toString());
        assertFalse(helm.template("--set=mode=lvms").contains("referencegrants"));
    }

    private static List<String> arguments(Map<String, KubeObject> objects) {
        return objects.get("Deployment/lvms-operator")
                .objects("spec", "template", "spec", "containers")
                .getFirst()
                .list("args")
                .texts();
    }

    @Test
    void groupsThatPeopleMadeAreGivenToTheOperator() throws Exception {
        var objects =
                Helm.objects(
                        helm.template(
                                "--set=mode=lvms",
                                "--set-json=lvms.userDeviceClasses={\"default\":{\"device-classes\":"
                                    + "[{\"name\":\"system\",\"volume-group\":\"rootvg\"}]},"
                                    + "\"node7.example.com\":{\"device-classes\":"
                                    + "[{\"name\":\"system\",\"volume-group\":\"centos\"}]}}"));
        var files = objects.get("ConfigMap/lvms-user-device-classes").textMap("data");
        assertEquals(Set.of("default.yaml", "node7.example.com.yaml"), files.keySet());
        assertTrue(files.get("default.yaml").contains("volume-group: rootvg"), files.toString());
        assertTrue(
                arguments(objects)
                        .contains("--vgmanager-user-device-classes=lvms-user-device-classes"));
        var without = Helm.objects(helm.template("--set=mode=lvms"));
        assertFalse(without.containsKey("ConfigMap/lvms-user-device-classes"));
        assertFalse(arguments(without).toString().contains("user-device-classes"));
    }

    /** What deploy/guard says of operator and agents holds for these accounts, word for word. */
    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "node-policy.yaml, node, vg-manager-own-node",
        "operator-policy.yaml, controller, lvms-operator-own-objects"
    })
    void thePoliciesOfTheOtherSideGuardTheAccountsOfThisOne(
            String file, String component, String policy) throws Exception {
        var objects = Helm.objects(helm.template("--set=guard.enabled=true"));
        var name = "topolvm-system-topolvm-" + component;
        var ours = objects.get("ValidatingAdmissionPolicy/" + name);
        var manifest =
                Helm.objects(Files.readString(Path.of("deploy/guard", file)))
                        .get("ValidatingAdmissionPolicy/" + policy);
        assertEquals(
                manifest.without("spec", "matchConditions").value("spec"),
                ours.without("spec", "matchConditions").value("spec"));
        assertEquals(
                List.of(
                        "request.userInfo.username =="
                                + " 'system:serviceaccount:topolvm-system:topolvm-"
                                + component
                                + "'"),
                ours.objects("spec", "matchConditions").stream()
                        .flatMap(condition -> condition.text("expression").stream())
                        .toList());
        var account =
                component.equals("node")
                        ? "DaemonSet/topolvm-node"
                        : "Deployment/topolvm-controller";
        assertEquals(
                Optional.of("topolvm-" + component),
                objects.get(account).text("spec", "template", "spec", "serviceAccountName"));
        var binding = objects.get("ValidatingAdmissionPolicyBinding/" + name);
        assertEquals(Optional.of(name), binding.text("spec", "policyName"));
        assertFalse(helm.template().contains("ValidatingAdmissionPolicy"));
    }

    @Test
    void anAgentOfTheLegacyGroupIsGuardedByItsNames() throws Exception {
        var rendered =
                helm.template(
                        "--set=guard.enabled=true,useLegacy=true",
                        "--show-only=templates/topolvm/guard.yaml");
        var policies = rendered.split("(?m)^---$");
        var node = policies[1];
        assertTrue(node.contains("name: topolvm-system-topolvm-node"), node);
        assertTrue(node.contains("capacity.topolvm.cybozu.com/"), node);
        assertFalse(node.contains("topolvm.io"), node);
        assertTrue(rendered.contains("[''topolvm.io'', ''topolvm.cybozu.com'']"), rendered);
    }

    /** Returns the rights of a role, one verb of one resource each. */
    private static TreeSet<String> allowed(KubeObject role) {
        var rights = new TreeSet<String>();
        for (var rule : role.objects("rules")) {
            var names = rule.list("resourceNames").texts();
            for (var group : rule.list("apiGroups").texts()) {
                for (var resource : rule.list("resources").texts()) {
                    for (var verb : rule.list("verbs").texts()) {
                        rights.add(
                                verb
                                        + " "
                                        + group
                                        + "/"
                                        + resource
                                        + " "
                                        + String.join(",", names));
                    }
                }
            }
        }
        return rights;
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "lvmd.manged=true | at '/lvmd': additional properties 'manged' not allowed",
                "lvms.cluster.spec.storage.deviceClasses[0].deviceSelektor.paths[0]=/dev/sdb | at"
                        + " '/lvms/cluster/spec/storage/deviceClasses/0': additional properties"
                        + " 'deviceSelektor' not allowed",
                "lvms.cluster.spec.storage.deviceClasses[0].deviceSelector.path=/dev/sdb | at"
                        + " '/lvms/cluster/spec/storage/deviceClasses/0/deviceSelector': additional"
                        + " properties 'path' not allowed",
                "image.reference=0.41.0 | image.reference: 0.41.0 is of no image without"
                        + " image.repository",
                "lvmd.deviceClasses=null | lvmd.deviceClasses: is empty",
                "webhook.caBundle=QQ==,webhook.certManager=false,webhook.podMutatingWebhook.enabled=true"
                    + " | webhook.caBundle: is the authority of a certificate that you made",
                "node.initContainers[0].name=a,lvmd.initContainers[0].name=a,"
                        + "lvmd.initContainers[0].image=b | initContainers: container a is there"
                        + " twice",
                "node.additionalContainers[0].name=topolvm-node | additionalContainers: container"
                        + " topolvm-node is there twice",
                "mode=nativestr | at '/mode': value must be one of 'topolvm', 'lvms'",
                "lvmd.deviceClasses[0].name=a | at '/lvmd/deviceClasses/0': missing property"
                        + " 'volume-group'",
                "cert-manager.enabled=true | cert-manager.enabled: this chart does not bring"
                        + " cert-manager",
                "image.repository=ghcr.io/topolvm/topolvm-with-sidecar | image.repository:"
                        + " ghcr.io/topolvm/topolvm-with-sidecar has TopoLVM's programs",
                "lvms.userDeviceClasses.default.classes[0]=a | at"
                        + " '/lvms/userDeviceClasses/default': additional properties 'classes' not"
                        + " allowed",
                "node.kubeletWorkDirectory=kubelet | at '/node/kubeletWorkDirectory'",
            })
    void aValueThatCannotBeMeantIsRefusedInOneLine(String value, String line) throws Exception {
        var said = helm.fail(Helm.command("template", "--set=" + value));
        assertEquals(1, said.lines().filter(l -> l.contains(line)).count(), said);
    }

    /** As after --reuse-values, which knows only the sections of the former chart. */
    @Test
    void aSectionThatIsMissingIsThatOfTheChart() throws Exception {
        var sections =
                List.of("image", "scheduler", "lvmd", "node", "controller", "resources", "env");
        var more = List.of("livenessProbe", "webhook", "snapshot", "guard", "lvms", "csiDriver");
        var inner = List.of("lvmd.prometheus", "node.volumeMounts", "controller.leaderElection");
        for (var mode : List.of("topolvm", "lvms")) {
            var whole = helm.template("--set=mode=" + mode);
            for (var all : List.of(sections, more, inner)) {
                var none = String.join("=null,", all) + "=null";
                assertEquals(whole, helm.template("--set=mode=" + mode, "--set=" + none), none);
            }
        }
    }

    /** TopoLVM's chart takes each of them. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "scheduler={\"enabled\":true,\"type\":\"Deployment\"} | kind: Service",
                "scheduler={\"enabled\":true,\"type\":\"DaemonSet\"} | hostNetwork: true",
                "lvmd.deviceClasses=[{\"name\":\"a\",\"volume-group\":\"b\",\"type\":\"\","
                        + "\"stripe\":2,\"stripe-size\":64}] | stripe-size: 64",
                "lvmd.deviceClasses=[{\"name\":\"a\",\"volume-group\":\"b\",\"erase-rate\":\"1Mi\","
                        + "\"zero-volumes\":\"all\",\"erase-on-removal\":\"zero\"}] | erase-rate:"
                        + " 1Mi",
                "lvmd={\"managed\":false,\"deviceClasses\":[]} |"
                        + " --lvmd-socket=/run/topolvm/lvmd.sock",
                "node.kubeletWorkDirectory=\"/kubelet/\" |"
                        + " --csi-socket=/kubelet/plugins/topolvm.io/node/csi-topolvm.sock",
                "image={\"repository\":\"r/lvms\",\"reference\":0.41} | 'image: \"r/lvms:0.41\"'",
                "storageClasses=[{\"name\":\"a\",\"storageClass\":{}},{\"name\":\"b\"}] | kind:"
                        + " CSIDriver",
                "useLegacy=null | name: logicalvolumes.topolvm.io",
            })
    void aValueThatTopolvmsChartTakesIsTaken(String value, String line) throws Exception {
        var rendered = helm.template("--set-json=" + value);
        assertTrue(rendered.contains(line), rendered);
        if (value.startsWith("storageClasses")) {
            assertFalse(rendered.contains("kind: StorageClass"), rendered);
        }
    }

    /** As in TopoLVM's chart, where the pod of lvmd alone has them. */
    @Test
    void whatIsLeftOverOfAnLvmdThatIsNotManagedDoesNotReachTheAgent() throws Exception {
        var left =
                "--set-json=lvmd={\"managed\":false,\"nodeSelector\":{\"a\":\"b\"},\"args\":[\"--v=2\"],"
                    + "\"env\":[{\"name\":\"E\",\"value\":\"e\"}],\"affinity\":{\"nodeAffinity\":{}},"
                    + "\"podLabels\":{\"a\":\"b\"},\"volumes\":[{\"name\":\"v\",\"emptyDir\":{}}],"
                    + "\"additionalConfigs\":[{\"deviceClasses\":[{\"name\":\"hdd\","
                    + "\"volume-group\":\"g\"}]}]}";
        for (var embedded : List.of("true", "false")) {
            var kind = "node.lvmdEmbedded=" + embedded;
            assertEquals(
                    helm.template("--set=lvmd.managed=false," + kind),
                    helm.template(left, "--set=" + kind));
        }
    }

    @Test
    void theWebhookLeavesTheNamespaceOfItsControllerAlone() throws Exception {
        var rendered =
                Helm.objects(
                        helm.succeed(
                                "template",
                                "topolvm",
                                Helm.chart().toString(),
                                "--namespace=storage",
                                "--set=webhook.podMutatingWebhook.enabled=true"));
        var hook = rendered.get("MutatingWebhookConfiguration/topolvm-hook");
        var ignored =
                hook.objects("webhooks")
                        .getFirst()
                        .objects("namespaceSelector", "matchExpressions")
                        .getLast();
        assertEquals(List.of("kube-system", "topolvm-system", "storage"), ignored.texts("values"));
    }

    @Test
    void anArgumentOfLvmdIsLeftOutWithItsValue() throws Exception {
        var args = "--set=lvmd.args={--config,X,--v=2,--metrics-bind-address,:1,--container,--k}";
        var command = command(Helm.objects(helm.template(args)).get("DaemonSet/topolvm-node"));
        assertEquals(List.of("--v=2", "--k"), command.subList(command.size() - 2, command.size()));
        assertFalse(command.contains("X"), command.toString());
        assertFalse(command.contains(":1"), command.toString());
    }

    @Test
    void theSameContainerOfNodeAndLvmdIsThereOnce() throws Exception {
        var agent =
                Helm.objects(
                                helm.template(
                                        "--set=node.initContainers[0].name=a,"
                                                + "lvmd.initContainers[0].name=a,"
                                                + "lvmd.initContainers[1].name=b"))
                        .get("DaemonSet/topolvm-node");
        assertEquals(
                List.of("a", "b"),
                agent.objects("spec", "template", "spec", "initContainers").stream()
                        .map(container -> container.text("name").orElseThrow())
                        .toList());
    }

    /** Helm and a rolling update wait until kubelet knows the driver. */
    @Test
    void anAgentIsReadyWhenItServes() throws Exception {
        var agent = Helm.objects(helm.template()).get("DaemonSet/topolvm-node");
        var container = agent.objects("spec", "template", "spec", "containers").getFirst();
        assertEquals("/readyz", container.text("readinessProbe", "httpGet", "path").orElseThrow());
        assertEquals("healthz", container.text("readinessProbe", "httpGet", "port").orElseThrow());
    }

    /** One pod runs there and one never does; what may be missing has to be both. */
    @Test
    void withoutAClusterToAskTheControllerIsReplacedAsOnOneNode() throws Exception {
        var controller = Helm.objects(helm.template()).get("Deployment/topolvm-controller");
        assertEquals(
                Optional.of("100%"),
                controller.text("spec", "strategy", "rollingUpdate", "maxUnavailable"));
        var own =
                Helm.objects(helm.template("--set=controller.updateStrategy.type=Recreate"))
                        .get("Deployment/topolvm-controller");
        assertEquals(Optional.of("Recreate"), own.text("spec", "strategy", "type"));
        assertTrue(own.object("spec", "strategy", "rollingUpdate").isEmpty());
    }

    /** The rules of TopoLVM's names; what refers to a name of the release finds it. */
    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "topolvm, '', topolvm",
        "my-topolvm, '', my-topolvm",
        "local, '', local-topolvm",
        "local, nameOverride=disks, local-disks",
        "disks1, nameOverride=disks, disks1",
        "local, fullnameOverride=all, all",
    })
    void namesFollowTheReleaseAndTheOverrides(String release, String override, String name)
            throws Exception {
        var objects =
                Helm.objects(
                        helm.succeed(
                                "template",
                                release,
                                Helm.chart().toString(),
                                "--namespace=storage",
                                "--values=" + Helm.EXAMPLES.resolve("kinds-of-nodes.yaml"),
                                "--set=scheduler.enabled=true," + override));
        var workloads =
                List.of(
                        "DaemonSet/" + name + "-node",
                        "DaemonSet/" + name + "-lvmd-1",
                        "Deployment/" + name + "-controller",
                        "DaemonSet/" + name + "-scheduler");
        for (var each : workloads) {
            var workload = objects.get(each);
            assertEquals("storage", workload.namespace(), each);
            var pod = workload.textMap("spec", "template", "metadata", "labels");
            var selected = workload.textMap("spec", "selector", "matchLabels");
            assertTrue(pod.entrySet().containsAll(selected.entrySet()), each);
            assertEquals(release, selected.get("app.kubernetes.io/instance"));
            var account =
                    workload.text("spec", "template", "spec", "serviceAccountName").orElseThrow();
            assertTrue(objects.containsKey("ServiceAccount/" + account), account);
            for (var volume : workload.objects("spec", "template", "spec", "volumes")) {
                volume.text("configMap", "name")
                        .ifPresent(map -> assertTrue(objects.containsKey("ConfigMap/" + map), map));
            }
        }
        for (var object : objects.values()) {
            for (var subject : object.objects("subjects")) {
                var account = "ServiceAccount/" + subject.text("name").orElseThrow();
                assertTrue(objects.containsKey(account), account);
                assertEquals(Optional.of("storage"), subject.text("namespace"));
            }
        }
    }

    /** TopoLVM's DaemonSets of lvmd differ in the number alone. */
    @Test
    void theAgentOfAFurtherFileTakesThePlaceOfItsLvmd() throws Exception {
        assumeTrue(Files.exists(THEIRS), "there is no rendered chart of TopoLVM in " + THEIRS);
        var theirs =
                Helm.objects(Files.readString(THEIRS.resolve("rendered-default.yaml")))
                        .get("DaemonSet/topolvm-lvmd-0");
        var ours = rendered("kinds-of-nodes.yaml").get("DaemonSet/topolvm-lvmd-1");
        var selector = new TreeMap<>(theirs.textMap("spec", "selector", "matchLabels"));
        selector.put("idx", "1");
        assertEquals(selector, ours.textMap("spec", "selector", "matchLabels"));
        assertEquals("1", ours.labels().get("idx"));
        assertEquals(theirs.apiVersion(), ours.apiVersion());
    }
}
