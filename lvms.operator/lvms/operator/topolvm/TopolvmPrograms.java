package lvms.operator.topolvm;

import lvms.api.Driver;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The workloads that run TopoLVM's programs, whoever made the image. */
public record TopolvmPrograms(Reads reads) {
    public static final String CONTROLLER = "topolvm-controller";
    public static final String NODE = "topolvm-node";
    public static final String LVMD = "lvmd";

    /** How people call the workloads that show where TopoLVM is. */
    public static final String SIGN = "Deployments or DaemonSets with TopoLVM's programs";

    private static final List<String> ALL =
            List.of(CONTROLLER, NODE, LVMD, "topolvm-scheduler", "hypertopolvm");

    /** Finds the namespaces that have any, for one driver. */
    public List<String> namespaces(Driver driver) throws ApiException, InterruptedException {
        return all(ListOptions.all()).stream()
                .filter(item -> !runs(item.object(), LVMD)) // which is the same for each driver
                .filter(item -> driver(item.object()).equals(driver))
                .map(item -> item.object().namespace())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns those of a namespace. */
    public List<Item> in(String namespace) throws ApiException, InterruptedException {
        return all(ListOptions.all().namespace(namespace));
    }

    private List<Item> all(ListOptions options) throws ApiException, InterruptedException {
        var found = new ArrayList<Item>();
        for (var type : List.of(Types.DEPLOYMENT, Types.DAEMON_SET)) {
            reads.list(type, options).stream()
                    .filter(item -> ALL.stream().anyMatch(name -> runs(item.object(), name)))
                    .forEach(found::add);
        }
        return found;
    }

    /** Returns whether a container of a workload starts a program. */
    public static boolean runs(KubeObject workload, String program) {
        return containers(workload).anyMatch(container -> starts(container, program));
    }

    public static boolean starts(ObjectTree container, String program) {
        return container.texts("command").stream()
                .limit(1)
                .map(path -> path.substring(path.lastIndexOf('/') + 1))
                .anyMatch(program::equals);
    }

    /**
     * Returns the driver whose programs a workload runs: any text in the variable means the old.
     */
    public static Driver driver(KubeObject workload) {
        boolean legacy =
                containers(workload)
                        .flatMap(container -> container.objects("env").stream())
                        .filter(entry -> entry.text("name").orElse("").equals("USE_LEGACY"))
                        .anyMatch(entry -> !entry.text("value").orElse("").isEmpty());
        return legacy ? Driver.LEGACY : Driver.TOPOLVM;
    }

    private static Stream<ObjectTree> containers(KubeObject workload) {
        return workload.objects("spec", "template", "spec", "containers").stream();
    }
}
