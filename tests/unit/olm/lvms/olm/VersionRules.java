package lvms.olm;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What a ClusterServiceVersion says of itself: name, place among versions, marks. */
final class VersionRules {
    private static final Set<String> CAPABILITIES =
            Set.of(
                    "Basic Install",
                    "Seamless Upgrades",
                    "Full Lifecycle",
                    "Deep Insights",
                    "Auto Pilot");
    private static final Set<String> MODES =
            Set.of("OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces");
    private static final Set<String> ARCHITECTURES = Set.of("amd64", "arm64", "ppc64le", "s390x");
    private static final Map<String, String> PICTURES =
            Map.of(
                    "image/svg+xml",
                    "<svg ",
                    "image/png",
                    "\u0089PNG",
                    "image/jpeg",
                    "\u00ff\u00d8");
    private static final String FEATURE = "features.operators.openshift.io/";

    private final KubeObject version;
    private final List<String> findings = new ArrayList<>();

    private VersionRules(KubeObject version) {
        this.version = version;
    }

    static List<String> findings(KubeObject version, String packageName) {
        var rules = new VersionRules(version);
        rules.judgeName(packageName);
        rules.judgeUpdates();
        rules.judgeModes();
        rules.judgeMarks();
        rules.judgeNamespace();
        rules.judgeIcon();
        return rules.findings;
    }

    private String spec(String field) {
        return version.text("spec", field).orElse("");
    }

    private void judgeName(String packageName) {
        for (var field : List.of("version", "minKubeVersion")) {
            if (!VersionRange.isVersion(spec(field))) {
                findings.add("spec." + field + " is \"" + spec(field) + "\", not a version");
            }
        }
        if (!version.name().equals(packageName + ".v" + spec("version"))) {
            findings.add(version.name() + " is not " + packageName + ".v" + spec("version"));
        }
        for (var field : List.of("displayName", "description", "maturity")) {
            if (spec(field).isBlank()) {
                findings.add("spec." + field + " is missing");
            }
        }
        if (version.text("spec", "provider", "name").isEmpty()) {
            findings.add("spec.provider.name is missing");
        }
    }

    private void judgeUpdates() {
        var range = version.annotation("olm.skipRange").orElse("");
        var former = spec("replaces").replaceFirst("^[a-z0-9-]+[.]v", "");
        if (!VersionRange.isVersion(former) || spec("replaces").equals(version.name())) {
            findings.add("spec.replaces is \"" + spec("replaces") + "\"");
            return;
        }
        try {
            var skipped = VersionRange.of(range);
            if (skipped.includes(spec("version"))) {
                findings.add("olm.skipRange includes the version itself");
            }
            if (!skipped.includes(former)) {
                findings.add("olm.skipRange lacks " + spec("replaces"));
            }
        } catch (IllegalArgumentException e) {
            findings.add("olm.skipRange is \"" + range + "\", not a range");
        }
    }

    private void judgeModes() {
        var seen = new TreeSet<String>();
        boolean any = false;
        for (var mode : version.objects("spec", "installModes")) {
            if (!seen.add(mode.text("type").orElse(""))) {
                findings.add("spec.installModes names " + mode.text("type").orElse("") + " twice");
            }
            any |= mode.flag("supported").orElse(false);
        }
        if (!seen.equals(new TreeSet<>(MODES))) {
            findings.add("spec.installModes has " + seen + ", not " + new TreeSet<>(MODES));
        }
        if (!any) {
            findings.add("spec.installModes supports none");
        }
    }

    private void judgeMarks() {
        version.annotations()
                .forEach(
                        (name, value) -> {
                            if (name.startsWith(FEATURE) && !value.matches("true|false")) {
                                findings.add(name + " is \"" + value + "\"");
                            }
                        });
        var capabilities = version.annotation("capabilities").orElse("");
        if (!CAPABILITIES.contains(capabilities)) {
            findings.add("capabilities is \"" + capabilities + "\"");
        }
        if (version.annotation("categories").filter("Storage"::equals).isEmpty()) {
            findings.add("categories is not Storage");
        }
        if (version.annotation(FEATURE + "fips-compliant").filter("true"::equals).isPresent()) {
            findings.add("fips-compliant is claimed");
        }
        var architectures =
                version.labels().keySet().stream()
                        .filter(l -> l.startsWith("operatorframework.io/arch."))
                        .map(l -> l.replaceFirst(".*arch[.]", ""))
                        .toList();
        if (architectures.isEmpty() || !ARCHITECTURES.containsAll(architectures)) {
            findings.add("architectures are " + architectures);
        }
    }

    private void judgeNamespace() {
        var name = version.annotation("operatorframework.io/suggested-namespace").orElse("");
        var template =
                version.annotation("operatorframework.io/suggested-namespace-template").orElse("");
        try {
            var namespace = KubeObject.of(Json.parse(template).asObject());
            if (!namespace.kind().equals("Namespace") || !namespace.name().equals(name)) {
                findings.add("suggested-namespace-template is not of namespace " + name);
            }
            if (!namespace
                    .label("pod-security.kubernetes.io/enforce")
                    .filter("privileged"::equals)
                    .isPresent()) {
                findings.add("suggested-namespace-template admits no privileged pods");
            }
        } catch (JsonException e) {
            findings.add("suggested-namespace-template is not JSON");
        }
    }

    private void judgeIcon() {
        var icons = version.objects("spec", "icon");
        if (icons.size() != 1) {
            findings.add(icons.size() + " icons, not 1");
            return;
        }
        var type = icons.getFirst().text("mediatype").orElse("");
        try {
            var picture =
                    Base64.getDecoder().decode(icons.getFirst().text("base64data").orElse(""));
            var text = new String(picture, java.nio.charset.StandardCharsets.ISO_8859_1);
            if (!PICTURES.containsKey(type) || !text.startsWith(PICTURES.get(type))) {
                findings.add("the icon is not " + type);
            }
        } catch (IllegalArgumentException e) {
            findings.add("the icon is not base64");
        }
    }
}
