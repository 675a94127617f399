package lvms.olm;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What OLM installs of a ClusterServiceVersion: workloads, rights, webhooks, images. */
final class InstallRules {
    private static final String DISCONNECTED = "features.operators.openshift.io/disconnected";
    private static final Set<String> WEBHOOKS =
            Set.of("MutatingAdmissionWebhook", "ValidatingAdmissionWebhook");

    private final KubeObject version;
    private final List<KubeObject> objects;
    private final List<String> findings = new ArrayList<>();

    private InstallRules(KubeObject version, List<KubeObject> objects) {
        this.version = version;
        this.objects = objects;
    }

    static List<String> findings(KubeObject version, List<KubeObject> objects) {
        var rules = new InstallRules(version, objects);
        if (!version.text("spec", "install", "strategy").equals(Optional.of("deployment"))) {
            rules.findings.add("spec.install.strategy is not deployment");
        }
        rules.judgePermissions();
        rules.judgeDeployments();
        rules.judgeImages();
        rules.judgeWebhooks();
        return rules.findings;
    }

    private List<ObjectTree> install(String list) {
        return version.objects("spec", "install", "spec", list);
    }

    private Set<String> accounts() {
        return Stream.of("permissions", "clusterPermissions")
                .flatMap(list -> install(list).stream())
                .map(permission -> permission.text("serviceAccountName").orElse(""))
                .collect(Collectors.toSet());
    }

    private void judgePermissions() {
        for (var list : List.of("permissions", "clusterPermissions")) {
            for (var permission : install(list)) {
                var account = permission.text("serviceAccountName").orElse("");
                for (var rule : permission.objects("rules")) {
                    boolean whole =
                            !rule.texts("verbs").isEmpty()
                                    && (!rule.texts("nonResourceURLs").isEmpty()
                                            || !rule.texts("resources").isEmpty()
                                                    && !rule.texts("apiGroups").isEmpty());
                    if (!whole) {
                        findings.add(list + " of " + account + ": half a rule " + rule);
                    }
                    if (Stream.of("verbs", "resources", "apiGroups")
                            .anyMatch(field -> rule.texts(field).contains("*"))) {
                        findings.add(list + " of " + account + ": a rule of everything " + rule);
                    }
                }
            }
        }
        for (var object : objects) {
            if (object.kind().equals("ServiceAccount") && accounts().contains(object.name())) {
                findings.add("ServiceAccount " + object.name() + " is a file and in permissions");
            }
        }
    }

    private void judgeDeployments() {
        var seen = new HashSet<String>();
        if (install("deployments").isEmpty()) {
            findings.add("no deployments");
        }
        for (var deployment : install("deployments")) {
            var name = deployment.text("name").orElse("");
            if (!seen.add(name)) {
                findings.add("Deployment " + name + " is there twice");
            }
            var account =
                    deployment.text("spec", "template", "spec", "serviceAccountName").orElse("");
            if (!accounts().contains(account)) {
                findings.add("Deployment " + name + ": no permissions for \"" + account + "\"");
            }
            var labels = deployment.textMap("spec", "template", "metadata", "labels").entrySet();
            var selector = deployment.textMap("spec", "selector", "matchLabels").entrySet();
            if (selector.isEmpty() || !labels.containsAll(selector)) {
                findings.add("Deployment " + name + " does not select its pods");
            }
        }
    }

    private void judgeImages() {
        var related = new HashSet<String>();
        for (var image : version.objects("spec", "relatedImages")) {
            if (image.text("name").orElse("").isEmpty()
                    || !related.add(image.text("image").orElse(""))) {
                findings.add("relatedImages: " + image);
            }
        }
        var used = images();
        used.stream()
                .filter(image -> !related.contains(image))
                .forEach(image -> findings.add(image + " is not in relatedImages"));
        related.stream()
                .filter(image -> !used.contains(image))
                .forEach(image -> findings.add(image + " is in relatedImages, and not used"));
        if (version.annotation(DISCONNECTED).equals(Optional.of("true"))
                && !related.stream().allMatch(i -> i.matches(".*@sha256:[0-9a-f]{64}"))) {
            findings.add("disconnected is claimed, but not each image has a digest");
        }
    }

    private Set<String> images() {
        var used = new HashSet<String>();
        version.annotation("containerImage").ifPresent(used::add);
        for (var deployment : install("deployments")) {
            for (var list : List.of("containers", "initContainers")) {
                for (var container : deployment.objects("spec", "template", "spec", list)) {
                    used.add(container.text("image").orElse(""));
                    container.objects("env").stream()
                            .filter(e -> e.text("name").orElse("").startsWith("RELATED_IMAGE_"))
                            .forEach(e -> used.add(e.text("value").orElse("")));
                }
            }
        }
        return used;
    }

    private void judgeWebhooks() {
        var seen = new HashSet<String>();
        for (var webhook : version.objects("spec", "webhookdefinitions")) {
            var name = webhook.text("generateName").orElse("");
            if (!seen.add(name) || !name.matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?")) {
                findings.add("webhook \"" + name + "\": no name of its own");
            }
            if (!WEBHOOKS.contains(webhook.text("type").orElse(""))) {
                findings.add("webhook " + name + ": type " + webhook.text("type").orElse(""));
            }
            var deployment = webhook.text("deploymentName").orElse("");
            if (install("deployments").stream()
                    .noneMatch(d -> d.text("name").orElse("").equals(deployment))) {
                findings.add("webhook " + name + ": no Deployment " + deployment);
            }
            for (var port : List.of("containerPort", "targetPort")) {
                long number = webhook.number(port).orElse(0);
                if (number < 1 || number > 65535) {
                    findings.add("webhook " + name + ": " + port + " is " + webhook.at(port));
                }
            }
            if (!webhook.text("webhookPath").orElse("").startsWith("/")) {
                findings.add("webhook " + name + ": webhookPath");
            }
            if (!webhook.text("sideEffects").orElse("").startsWith("None")
                    || !webhook.texts("admissionReviewVersions").contains("v1")) {
                findings.add("webhook " + name + ": sideEffects or admissionReviewVersions");
            }
            judgeRules(name, webhook);
        }
    }

    /** OLM refuses to be asked about itself. */
    private void judgeRules(String name, ObjectTree webhook) {
        if (webhook.objects("rules").isEmpty()) {
            findings.add("webhook " + name + ": no rules");
        }
        for (var rule : webhook.objects("rules")) {
            for (var group : rule.texts("apiGroups")) {
                if (Set.of("*", "operators.coreos.com", "admissionregistration.k8s.io")
                        .contains(group)) {
                    findings.add("webhook " + name + ": OLM refuses rules of group " + group);
                }
            }
        }
    }
}
