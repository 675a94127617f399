package lvms.olm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.deploy.Admin;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Does with a bundle what OLM does, as far as the API server sees it: the namespace that a console
 * makes, the steps of an InstallPlan, and what becomes of a ClusterServiceVersion.
 *
 * <p>Source: operator-lifecycle-manager, {@code pkg/controller/install} (deployment, certresources,
 * webhook) and {@code pkg/controller/operators/catalog}.
 */
final class LifecycleManager {
    private static final String CERTIFICATE = "lvms-operator-service-cert";

    private final Admin admin;
    private final KubeObject version;
    private final String namespace;
    private final List<KubeObject> objects = new ArrayList<>();
    private final List<String> optional = new ArrayList<>();

    /** Kind and name of what could not be created, and may be missing. */
    private final List<String> notCreated = new ArrayList<>();

    LifecycleManager(Admin admin, Map<String, String> files) {
        this.admin = admin;
        KubeObject found = null;
        for (var file : files.entrySet()) {
            if (file.getKey().startsWith("manifests/")) {
                var object = KubeObject.of(Yaml.read(file.getValue()).asObject());
                if (object.kind().equals("ClusterServiceVersion")) {
                    found = object;
                } else {
                    objects.add(object);
                }
            }
        }
        version = found;
        namespace = version.annotation("operatorframework.io/suggested-namespace").orElseThrow();
        for (var property :
                Yaml.read(files.get("metadata/properties.yaml")).asObject().objects("properties")) {
            for (var manifest : property.objects("value", "manifests")) {
                optional.add(
                        manifest.text("kind").orElseThrow()
                                + "/"
                                + manifest.text("name").orElseThrow());
            }
        }
    }

    List<String> notCreated() {
        return notCreated;
    }

    /** Makes all but the Deployment. */
    void prepare() throws Exception {
        create(namespaceOfTheConsole());
        for (var object : objects) {
            if (object.kind().equals("CustomResourceDefinition")) {
                define(object);
            }
        }
        for (var object : objects) {
            if (!object.kind().equals("CustomResourceDefinition")) {
                step(object);
            }
        }
        grant("permissions", "Role");
        grant("clusterPermissions", "ClusterRole");
        for (var webhook : version.objects("spec", "webhookdefinitions")) {
            create(configuration(webhook));
        }
    }

    private KubeObject namespaceOfTheConsole() {
        var template = version.annotation("operatorframework.io/suggested-namespace-template");
        return KubeObject.of(Json.parse(template.orElseThrow()).asObject());
    }

    private void step(KubeObject object) throws Exception {
        var id = object.kind() + "/" + object.name();
        var run = run("create", object);
        if (run.code() != 0 && optional.contains(id)) {
            notCreated.add(id);
        } else {
            assertEquals(0, run.code(), run.output());
        }
    }

    private Admin.Run run(String verb, KubeObject object) throws IOException, InterruptedException {
        var file = Files.createTempFile(admin.directory(), "olm", ".json");
        Files.writeString(file, object.toJson());
        return admin.run(
                verb, "--validate=strict", "--namespace=" + namespace, "--filename=" + file);
    }

    void create(KubeObject object) throws Exception {
        var run = run("create", object);
        assertEquals(0, run.code(), run.output());
    }

    /** A definition may be there, of an earlier version. */
    private void define(KubeObject definition) throws Exception {
        var file = Files.createTempFile(admin.directory(), "olm", ".json");
        Files.writeString(file, definition.toJson());
        admin.succeed("apply", "--server-side", "--force-conflicts", "--filename=" + file);
    }

    private static KubeObject object(String apiVersion, String kind, String name) {
        return KubeObject.of(
                        Yaml.read("{apiVersion: %s, kind: %s}".formatted(apiVersion, kind))
                                .asObject())
                .with(name, "metadata", "name");
    }

    private void grant(String list, String kind) throws Exception {
        var rbac = "rbac.authorization.k8s.io/v1";
        for (var permission : version.objects("spec", "install", "spec", list)) {
            var account = permission.text("serviceAccountName").orElseThrow();
            if (kind.equals("Role")) {
                create(object("v1", "ServiceAccount", account));
            }
            var name = version.name() + "-" + account;
            create(object(rbac, kind, name).with(permission.at("rules"), "rules"));
            create(
                    object(rbac, kind + "Binding", name)
                            .with("rbac.authorization.k8s.io", "roleRef", "apiGroup")
                            .with(kind, "roleRef", "kind")
                            .with(name, "roleRef", "name")
                            .with(
                                    Yaml.read(
                                            "[{kind: ServiceAccount, name: %s, namespace: %s}]"
                                                    .formatted(account, namespace)),
                                    "subjects"));
        }
    }

    private KubeObject configuration(ObjectTree webhook) {
        var kind =
                webhook.text("type")
                        .orElseThrow()
                        .replace("AdmissionWebhook", "WebhookConfiguration");
        var deployment = webhook.text("deploymentName").orElseThrow();
        var call =
                ObjectTree.EMPTY
                        .with(Tree.of(deployment + "-service"), "service", "name")
                        .with(Tree.of(namespace), "service", "namespace")
                        .with(webhook.at("webhookPath"), "service", "path")
                        .with(webhook.at("containerPort"), "service", "port");
        var asked =
                webhook.without("type")
                        .without("deploymentName")
                        .without("containerPort")
                        .without("targetPort")
                        .without("webhookPath")
                        .without("generateName")
                        .with(webhook.at("generateName"), "name")
                        .with(call, "clientConfig")
                        .with(
                                Tree.of(namespace),
                                "namespaceSelector",
                                "matchLabels",
                                "kubernetes.io/metadata.name");
        return object(
                        "admissionregistration.k8s.io/v1",
                        kind,
                        webhook.text("generateName").orElseThrow() + "-x7k2p")
                .with(ListTree.of(asked), "webhooks");
    }

    /** Makes the Deployment, or changes the one that is there, as an update does. */
    void deploy() throws Exception {
        var deployment = deployment();
        var there = admin.run("get", "deployment", deployment.name(), "--namespace=" + namespace);
        var run = run(there.code() == 0 ? "replace" : "create", deployment);
        assertEquals(0, run.code(), run.output());
    }

    private KubeObject deployment() {
        var asked = version.objects("spec", "install", "spec", "deployments").getFirst();
        var pod = asked.object("spec", "template", "spec").orElseThrow();
        var containers = ListTree.builder();
        for (var container : pod.objects("containers")) {
            containers.add(mounted(container));
        }
        var volumes = new ArrayList<Tree>();
        pod.objects("volumes").stream()
                .filter(v -> !v.text("name").equals(Optional.of("webhook-cert")))
                .forEach(volumes::add);
        volumes.add(volume("apiservice-cert", "apiserver."));
        volumes.add(volume("webhook-cert", "tls."));
        var annotations = ObjectTree.ofTexts(version.annotations()).toBuilder();
        annotations.put("olm.operatorGroup", "group");
        annotations.put("olmcahash", "0123");
        asked.textMap("spec", "template", "metadata", "annotations").forEach(annotations::put);
        return object("apps/v1", "Deployment", asked.text("name").orElseThrow())
                .with(namespace, "metadata", "namespace")
                .with(asked.at("label"), "metadata", "labels")
                .with(asked.at("spec"), "spec")
                .with(annotations.build(), "spec", "template", "metadata", "annotations")
                .with(ListTree.of(volumes), "spec", "template", "spec", "volumes")
                .with(containers.build(), "spec", "template", "spec", "containers");
    }

    /** A mount of one of these names or places is OLM's. */
    private ObjectTree mounted(ObjectTree container) {
        var mounts = new ArrayList<Tree>();
        container.objects("volumeMounts").stream()
                .filter(m -> !m.text("name").equals(Optional.of("webhook-cert")))
                .forEach(mounts::add);
        mounts.add(mount("apiservice-cert", "/apiserver.local.config/certificates"));
        mounts.add(mount("webhook-cert", "/tmp/k8s-webhook-server/serving-certs"));
        var env = new ArrayList<Tree>(container.list("env").elements());
        env.add(
                ObjectTree.builder()
                        .put("name", "OPERATOR_CONDITION_NAME")
                        .put("value", version.name())
                        .build());
        return container.with(ListTree.of(mounts), "volumeMounts").with(ListTree.of(env), "env");
    }

    private static ObjectTree mount(String name, String path) {
        return ObjectTree.builder().put("name", name).put("mountPath", path).build();
    }

    private static ObjectTree volume(String name, String prefix) {
        return Yaml.read(
                        """
                        name: %s
                        secret:
                          secretName: %s
                          items:
                            - {key: tls.crt, path: %scrt}
                            - {key: tls.key, path: %skey}
                        """
                                .formatted(name, CERTIFICATE, prefix, prefix))
                .asObject();
    }

    List<ObjectTree> examples() {
        return Json.parse(version.annotation("alm-examples").orElseThrow()).asList().objects();
    }
}
