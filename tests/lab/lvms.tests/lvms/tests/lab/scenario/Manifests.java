package lvms.tests.lab.scenario;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Applies manifests from the repository, as {@code kubectl apply} does. */
final class Manifests {

    private final KubeClient kube;

    Manifests(KubeClient kube) {
        this.kube = kube.withFieldManager("test");
    }

    /** Applies the files that a kustomization names, in its order. */
    void applyFolder(Path folder) throws IOException, ApiException, InterruptedException {
        var kustomization = Yaml.read(Files.readString(folder.resolve("kustomization.yaml")));
        for (var name : kustomization.asObject().at("resources").asList()) {
            apply(Files.readString(folder.resolve(name.asText())));
        }
    }

    /** Applies the documents of a YAML text. */
    void apply(String yaml) throws ApiException, InterruptedException {
        for (var document : Yaml.readAll(yaml)) {
            var object = KubeObject.of(document.asObject());
            kube.apply(typeOf(object), object);
        }
    }

    private static ResourceType typeOf(KubeObject object) {
        var version = object.apiVersion();
        int slash = version.indexOf('/');
        var kind = object.kind();
        var lower = kind.toLowerCase(Locale.ROOT);
        var plural =
                lower.endsWith("y")
                        ? lower.replaceFirst("y$", "ies")
                        : lower + (lower.endsWith("s") ? "es" : "s");
        return new ResourceType(
                slash < 0 ? "" : version.substring(0, slash),
                version.substring(slash + 1),
                kind,
                plural,
                !object.namespace().isEmpty());
    }
}
