package lvms.deploy;

import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.yaml.Yaml;

import java.nio.file.Files;
import java.nio.file.Path;

/** A file of {@code deploy/guard}: policies about what may be written, and their bindings. */
public record PolicyFile(Path path) {
    /** What a node agent must not write. */
    public static final PolicyFile NODE = new PolicyFile(Path.of("deploy/guard/node-policy.yaml"));

    /** What the operator must not write. */
    public static final PolicyFile OPERATOR =
            new PolicyFile(Path.of("deploy/guard/operator-policy.yaml"));

    public void create(KubeClient admin) throws Exception {
        for (var tree : Yaml.readAll(Files.readString(path))) {
            var object = KubeObject.of(tree.asObject());
            admin.create(typeOf(object), object);
        }
    }

    private static ResourceType typeOf(KubeObject object) {
        var plural =
                object.kind().endsWith("Binding")
                        ? "validatingadmissionpolicybindings"
                        : "validatingadmissionpolicies";
        return new ResourceType("admissionregistration.k8s.io", "v1", object.kind(), plural, false);
    }
}
