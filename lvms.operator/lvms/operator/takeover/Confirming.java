package lvms.operator.takeover;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.List;

/** What confirming does: what nobody needs any more goes, and with it the way back. */
record Confirming(Reads reads, Predecessor system, String namespace) {
    Agenda agenda() throws ApiException, InterruptedException {
        var leftOver =
                system.parts(reads, namespace).stream()
                        .filter(part -> part.fate() == Fate.LEFT_OVER)
                        .toList();
        var items = new ArrayList<>(leftOver.stream().map(Part::item).toList());
        items.addAll(reads.named(Types.CONFIG_MAP, TakeoverRecord.key(namespace)));
        return new Agenda(
                obstacles(),
                leftOver.stream().map(Part::text).toList(),
                List.of("after this, the place cannot be given back"),
                items.stream().map(Confirming::delete).toList());
    }

    private static Step delete(Item item) {
        return new Step.Remove("delete " + item.text(), item);
    }

    /** Nobody confirms what does not work. */
    private List<String> obstacles() throws ApiException, InterruptedException {
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
