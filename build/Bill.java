import java.util.List;
import java.util.Map;

/** The parts of a bill of materials in the form of CycloneDX 1.6. */
final class Bill {
    /** The licence of everything of ours. */
    static final String APACHE = "Apache-2.0";

    private Bill() {}

    /** Returns a bill of what {@code subject} is made of, or needs. */
    static Map<String, Object> of(Map<String, Object> subject, List<Object> components) {
        return Json.object(
                "bomFormat",
                "CycloneDX",
                "specVersion",
                "1.6",
                "version",
                1,
                "metadata",
                Json.object("component", subject),
                "components",
                components);
    }

    /** Returns a component; without a package URL it has no reference. */
    static Map<String, Object> component(String type, String name, String version, String purl) {
        var component = Json.object("type", type, "name", name, "version", version);
        if (!purl.isEmpty()) {
            component.put("bom-ref", purl);
            component.put("purl", purl);
        }
        return component;
    }

    /** Returns a jar of others, with its group, licence and sum. */
    static Map<String, Object> component(Artifact artifact) {
        var purl =
                "pkg:maven/%s/%s@%s"
                        .formatted(artifact.group(), artifact.name(), artifact.version());
        var component = component("library", artifact.name(), artifact.version(), purl);
        component.put("group", artifact.group());
        component.put("licenses", licences(artifact.licence()));
        component.put("hashes", hashes(artifact.sha256()));
        return component;
    }

    static List<Object> licences(String licence) {
        return List.of(
                licence.contains(" ")
                        ? Json.object("expression", licence)
                        : Json.object("license", Json.object("id", licence)));
    }

    static List<Object> hashes(String sha256) {
        return List.of(Json.object("alg", "SHA-256", "content", sha256));
    }
}
