package lvms.deploy.monitoring;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The alerts of a file of {@code deploy/monitoring}. */
final class Rules {
    private static final Path FILE = Path.of("deploy/monitoring/base/rules.yaml");

    /** Those that users of NativeStor know. */
    static final Path NATIVESTOR = Path.of("deploy/monitoring/nativestor/rules.yaml");

    /**
     * An alert.
     *
     * @param minutes how long its condition has to last
     * @param labels those that it gives besides its severity
     */
    record Alert(
            String name,
            String expression,
            int minutes,
            String severity,
            Map<String, String> labels,
            Map<String, String> annotations) {}

    private final ObjectTree spec;

    private Rules(ObjectTree spec) {
        this.spec = spec;
    }

    static Rules read() throws IOException {
        return read(FILE);
    }

    static Rules read(Path file) throws IOException {
        var object = KubeObject.of(Yaml.read(Files.readString(file)).asObject());
        return new Rules(object.object("spec").orElseThrow());
    }

    /** Writes them as Prometheus reads them; JSON is YAML. */
    Path save(Path folder) throws IOException {
        return Files.writeString(folder.resolve("rules.json"), Json.write(spec));
    }

    List<Alert> alerts() {
        return spec.objects("groups").stream()
                .flatMap(group -> group.objects("rules").stream())
                .map(Rules::alert)
                .toList();
    }

    Alert alert(String name) {
        return alerts().stream().filter(a -> a.name().equals(name)).findFirst().orElseThrow();
    }

    private static Alert alert(ObjectTree rule) {
        var labels = new TreeMap<>(rule.textMap("labels"));
        var severity = labels.remove("severity");
        return new Alert(
                rule.text("alert").orElseThrow(),
                rule.text("expr").orElseThrow(),
                Integer.parseInt(rule.text("for").orElse("0m").replace("m", "")),
                Objects.requireNonNull(severity, "severity"),
                labels,
                rule.textMap("annotations"));
    }
}
