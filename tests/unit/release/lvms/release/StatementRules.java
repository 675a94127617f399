package lvms.release;

import lvms.k8s.tree.ObjectTree;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Judges the provenance.
 *
 * <p>Source: in-toto attestation framework, "Statement v1" and "ResourceDescriptor"; SLSA, "Build:
 * Provenance" v1, each field that is required.
 */
final class StatementRules {
    /** RFC 3986: a scheme, and something behind it. */
    private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:[^\\s\"<>]+");

    private final List<String> findings = new ArrayList<>();

    private StatementRules() {}

    static List<String> findings(ObjectTree statement) {
        var rules = new StatementRules();
        rules.judge(statement);
        return rules.findings;
    }

    private void expect(boolean holds, String what) {
        if (!holds) {
            findings.add("provenance: expected " + what);
        }
    }

    private void judge(ObjectTree statement) {
        expect(text(statement, "_type").equals("https://in-toto.io/Statement/v1"), "its _type");
        expect(
                text(statement, "predicateType").equals("https://slsa.dev/provenance/v1"),
                "its predicateType");
        var subjects = statement.objects("subject");
        expect(!subjects.isEmpty(), "a subject");
        for (var subject : subjects) {
            expect(
                    text(subject, "digest", "sha256").matches("[0-9a-f]{64}"),
                    "a digest of " + text(subject, "name"));
        }
        var definition = statement.object("predicate", "buildDefinition").orElse(ObjectTree.EMPTY);
        expect(uri(text(definition, "buildType")), "a URI as buildType");
        expect(
                definition.object("externalParameters").filter(o -> !o.isEmpty()).isPresent(),
                "externalParameters");
        for (var dependency : definition.objects("resolvedDependencies")) {
            dependency(dependency);
        }
        expect(
                definition.objects("resolvedDependencies").stream()
                        .anyMatch(d -> text(d, "digest", "gitCommit").matches("[0-9a-f]{40}")),
                "the commit among the dependencies");
        expect(uri(text(statement, "predicate", "runDetails", "builder", "id")), "a builder's id");
    }

    private void dependency(ObjectTree dependency) {
        var digest = dependency.textMap("digest");
        expect(!digest.isEmpty(), "a digest of the dependency " + text(dependency, "name"));
        expect(
                !dependency.has("uri") || uri(text(dependency, "uri")),
                "a URI of the dependency " + text(dependency, "name"));
    }

    private static boolean uri(String text) {
        return URI.matcher(text).matches();
    }

    private static String text(ObjectTree object, String... path) {
        return object.text(path).orElse("");
    }
}
