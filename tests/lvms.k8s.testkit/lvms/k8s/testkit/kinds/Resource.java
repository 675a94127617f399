package lvms.k8s.testkit.kinds;

import lvms.k8s.testkit.schema.Schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One served resource in one version.
 *
 * @param storage name of the stored type; versions of one resource share it
 * @param status whether {@code /status} is a subresource of its own
 * @param generations whether the server counts generations
 * @param unconditional whether a PUT may leave out the resource version
 * @param scale where {@code /scale} finds its values
 * @param columns what a Table shows after the name
 * @param selectable extra fields of field selectors, by label
 * @param rules what only this type has: defaults, immutability, checks
 */
public record Resource(
        String group,
        String version,
        String kind,
        String listKind,
        String plural,
        String singular,
        boolean namespaced,
        List<String> shortNames,
        List<String> categories,
        List<String> verbs,
        String storage,
        Schema schema,
        boolean builtin,
        boolean status,
        boolean generations,
        boolean unconditional,
        Optional<Scale> scale,
        List<Column> columns,
        Map<String, String> selectable,
        Rules rules) {

    /** Every verb of an ordinary resource. */
    public static final List<String> ALL_VERBS =
            List.of(
                    "create",
                    "delete",
                    "deletecollection",
                    "get",
                    "list",
                    "patch",
                    "update",
                    "watch");

    /** Dotted paths of the values behind {@code /scale}; the selector's may be empty. */
    public record Scale(String specReplicas, String statusReplicas, String labelSelector) {}

    /**
     * A column of a Table.
     *
     * @param type {@code string}, {@code integer}, {@code number}, {@code boolean} or {@code date}
     */
    public record Column(
            String name, String type, String format, String jsonPath, int priority, String note) {}

    /** {@code v1} or {@code group/version}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** The plural with the group, as messages name it. */
    public String qualifiedPlural() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    public boolean hasSubresource(String name) {
        return switch (name) {
            case "status" -> status;
            case "scale" -> scale.isPresent();
            default -> rules.subresources().contains(name);
        };
    }
}
