package lvms.operator.takeover.nativestor;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What runs of NativeStor. Names changed from release to release, the programs did not.
 *
 * @param reads asks the server
 * @param namespace where its operator is
 */
public record StorWorkloads(Reads reads, String namespace) {
    /** How people call what shows where NativeStor is. */
    public static final String SIGN = "TopolvmClusters, or Deployments of NativeStor's operator,";

    /** What a workload does, in the order in which they are stopped. */
    public enum Role {
        OPERATOR("stopped first: ours has its place"),
        CONTROLLER("our operator does its work"),
        NODE("our agent does its work; what is mounted stays mounted"),
        DISCOVERY("our agents look for devices");

        private final String fate;

        Role(String fate) {
            this.fate = fate;
        }

        /** Returns what becomes of its work. */
        public String fate() {
            return fate;
        }
    }

    /**
     * A workload.
     *
     * @param item the Deployment or DaemonSet
     */
    public record Found(Item item, Role role) {}

    /** Finds all in the namespace, in the order in which they are stopped. */
    public List<Found> all() throws ApiException, InterruptedException {
        return found(ListOptions.all().namespace(namespace));
    }

    /** Finds the namespaces that have an operator. */
    public static List<String> namespaces(Reads reads) throws ApiException, InterruptedException {
        return new StorWorkloads(reads, "")
                .found(ListOptions.all()).stream()
                        .filter(found -> found.role() == Role.OPERATOR)
                        .map(found -> found.item().object().namespace())
                        .distinct()
                        .sorted()
                        .toList();
    }

    private List<Found> found(ListOptions where) throws ApiException, InterruptedException {
        var found = new ArrayList<Found>();
        for (var type : List.<ResourceType>of(Types.DEPLOYMENT, Types.DAEMON_SET)) {
            for (var item : reads.list(type, where)) {
                roleOf(item.object()).ifPresent(role -> found.add(new Found(item, role)));
            }
        }
        found.sort(Comparator.comparing(Found::role)); // stable: by name within one
        return found;
    }

    /** Tells by the programs that its containers start. */
    static Optional<Role> roleOf(KubeObject workload) {
        return workload.objects("spec", "template", "spec", "containers").stream()
                .flatMap(container -> roleOf(words(container)).stream())
                .min(Comparator.naturalOrder());
    }

    public static boolean isOperator(KubeObject workload) {
        return roleOf(workload).filter(Role.OPERATOR::equals).isPresent();
    }

    private static List<String> words(ObjectTree container) {
        return Stream.concat(container.texts("command").stream(), container.texts("args").stream())
                .map(word -> word.substring(word.lastIndexOf('/') + 1))
                .toList();
    }

    private static Optional<Role> roleOf(List<String> words) {
        var program = words.isEmpty() ? "" : words.getFirst();
        var argument = words.size() < 2 ? "" : words.get(1);
        return switch (program) {
            case "topolvm", "raw-device" -> subcommand(argument);
            case "topolvm-controller", "raw-device-provisioner" -> Optional.of(Role.CONTROLLER);
            case "topolvm-node", "raw-device-plugin" -> Optional.of(Role.NODE);
            default -> Optional.empty();
        };
    }

    private static Optional<Role> subcommand(String name) {
        return switch (name) {
            case "operator" -> Optional.of(Role.OPERATOR);
            case "discover" -> Optional.of(Role.DISCOVERY);
            case "raw-device-provisioner" -> Optional.of(Role.CONTROLLER);
            case "raw-device-plugin" -> Optional.of(Role.NODE);
            default -> Optional.empty();
        };
    }
}
