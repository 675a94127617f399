package lvms.operator.takeover;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.k8s.object.KubeObject;

import java.util.ArrayList;
import java.util.List;

/**
 * What keeps us from taking LVMS's place.
 *
 * @param parts what was found
 * @param namespace where it runs
 */
record LvmsObstacles(List<Part> parts, String namespace) {
    List<String> all() {
        var found = new ArrayList<String>();
        var clusters = Lvms.objects(parts, LvmCluster.TYPE);
        if (clusters.isEmpty()) {
            found.add(
                    "there is no LVMCluster in namespace "
                            + namespace
                            + ": nothing of LVMS is in use there");
        }
        if (clusters.size() > 1) {
            found.add(
                    clusters.size()
                            + " LVMClusters are in namespace "
                            + namespace
                            + ": LVMS serves none of them; delete those without volumes");
        }
        clusters.forEach(cluster -> terminating(cluster, found));
        Lvms.objects(parts, LvmVolumeGroup.TYPE).forEach(group -> terminating(group, found));
        parts.stream()
                .filter(part -> part.fate() == Fate.REMOVED)
                .filter(part -> Provenance.isOfOlm(part.item().object()))
                .forEach(part -> found.add(olm(part)));
        return found;
    }

    private static void terminating(KubeObject object, List<String> found) {
        if (object.terminating()) {
            found.add(
                    object.kind()
                            + " "
                            + object.key()
                            + " is being deleted: let LVMS finish, or bring its deletion to an end"
                            + " first");
        }
    }

    private String olm(Part part) {
        return part.item().text()
                + " belongs to OLM, which would bring it back: delete the Subscription and the"
                + " ClusterServiceVersion of LVMS in namespace "
                + namespace
                + " (the LVMCluster and its volumes stay), then repeat this";
    }
}
