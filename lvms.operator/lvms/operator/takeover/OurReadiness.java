package lvms.operator.takeover;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.List;

/** Whether our operator and agents work in the place of LVMS. */
record OurReadiness(Reads reads, String namespace) {
    /** Nobody confirms what does not work. */
    List<String> missing() throws ApiException, InterruptedException {
        var obstacles = new ArrayList<String>();
        requireOurs(obstacles, Types.DEPLOYMENT, Names.OPERATOR);
        requireOurs(obstacles, Types.DAEMON_SET, Names.VG_MANAGER);
        for (var item : reads.list(LvmCluster.TYPE, ListOptions.all().namespace(namespace))) {
            var state = item.object().text("status", "state").orElse("");
            if (!state.equals("Ready")) {
                obstacles.add(
                        item.text() + " is not Ready but \"" + state + "\": lvms status says why");
            }
        }
        return obstacles;
    }

    private void requireOurs(List<String> obstacles, ResourceType type, String name)
            throws ApiException, InterruptedException {
        var found = reads.find(type, ObjectKey.of(namespace, name));
        if (found.filter(object -> Program.of(object) == Program.OURS).isEmpty()) {
            obstacles.add(
                    type.kind()
                            + " "
                            + namespace
                            + "/"
                            + name
                            + " is not ours: apply the manifests");
        } else if (!found.filter(Workload::ready).isPresent()) {
            obstacles.add(type.kind() + " " + namespace + "/" + name + " is not ready yet");
        }
    }
}
