package lvms.operator.takeover;

import lvms.k8s.client.ApiException;
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
        var steps = new ArrayList<>(system.farewell(reads));
        items.forEach(item -> steps.add(delete(item)));
        return new Agenda(
                system.unfinished(reads, namespace),
                leftOver.stream().map(Part::text).toList(),
                List.of("after this, the place cannot be given back"),
                steps);
    }

    private static Step delete(Item item) {
        return new Step.Remove("delete " + item.text(), item);
    }
}
