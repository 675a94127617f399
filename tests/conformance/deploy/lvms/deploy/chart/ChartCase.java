package lvms.deploy.chart;

import lvms.deploy.Admin;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Peers;
import lvms.tests.runner.Peers.Manifests;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the real Helm makes of the chart and its values, without a cluster. */
abstract class ChartCase {
    /** What a rendered object has more than the manifest that it comes from. */
    private static final Set<String> OF_HELM =
            Set.of("helm.sh/chart", "app.kubernetes.io/version", "app.kubernetes.io/managed-by");

    @TempDir Path folder;
    Helm helm;

    @BeforeEach
    void noCluster() {
        helm = new Helm(folder.resolve("none"), folder);
    }

    Admin kubectl() {
        return new Admin(folder.resolve("none"), folder);
    }

    /** Returns what Helm renders of TopoLVM's chart; the test is skipped if it is not there. */
    static Path theirs(String name) {
        return Peers.find().manifest(Manifests.OF_TOPOLVM, name);
    }

    static ObjectTree withoutHelm(KubeObject object) {
        var labels = new TreeMap<>(object.labels());
        labels.keySet().removeAll(OF_HELM);
        var annotations = new TreeMap<>(object.annotations());
        annotations.remove("helm.sh/resource-policy");
        return object.without("metadata", "labels")
                .without("metadata", "annotations")
                .with(labels.toString(), "labels")
                .with(annotations.toString(), "annotations")
                .json();
    }

    Map<String, KubeObject> rendered(String example) throws Exception {
        return Helm.objects(helm.template("--values=" + Helm.EXAMPLES.resolve(example)));
    }

    static List<String> command(KubeObject workload) {
        return workload.objects("spec", "template", "spec", "containers")
                .getFirst()
                .list("command")
                .texts();
    }

    static List<String> arguments(Map<String, KubeObject> objects) {
        return objects.get("Deployment/lvms-operator")
                .objects("spec", "template", "spec", "containers")
                .getFirst()
                .list("args")
                .texts();
    }

    /** Returns the rights of a role, one verb of one resource each. */
    static TreeSet<String> allowed(KubeObject role) {
        var rights = new TreeSet<String>();
        for (var rule : role.objects("rules")) {
            var names = rule.list("resourceNames").texts();
            for (var group : rule.list("apiGroups").texts()) {
                for (var resource : rule.list("resources").texts()) {
                    for (var verb : rule.list("verbs").texts()) {
                        rights.add(
                                verb
                                        + " "
                                        + group
                                        + "/"
                                        + resource
                                        + " "
                                        + String.join(",", names));
                    }
                }
            }
        }
        return rights;
    }
}
