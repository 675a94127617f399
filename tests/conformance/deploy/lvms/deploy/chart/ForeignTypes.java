package lvms.deploy.chart;

import lvms.deploy.Admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Types of others that the chart makes objects of; only their names count here. */
final class ForeignTypes {
    private static final String DEFINITION =
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: PLURAL.GROUP
            spec:
              group: GROUP
              scope: Namespaced
              names: {kind: KIND, listKind: KINDList, plural: PLURAL, singular: SINGULAR}
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;

    private ForeignTypes() {}

    static void define(Admin admin, Path folder) throws IOException, InterruptedException {
        define(admin, folder, "cert-manager.io", "Issuer");
        define(admin, folder, "cert-manager.io", "Certificate");
        define(admin, folder, "monitoring.coreos.com", "PodMonitor");
    }

    private static void define(Admin admin, Path folder, String group, String kind)
            throws IOException, InterruptedException {
        var singular = kind.toLowerCase(Locale.ROOT);
        var definition =
                DEFINITION
                        .replace("GROUP", group)
                        .replace("PLURAL", singular + "s")
                        .replace("SINGULAR", singular)
                        .replace("KIND", kind);
        var file = Files.writeString(Files.createTempFile(folder, "type", ".yaml"), definition);
        admin.succeed("create", "--filename=" + file);
    }
}
