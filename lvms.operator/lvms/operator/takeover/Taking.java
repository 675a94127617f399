package lvms.operator.takeover;

import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.uninstall.Item;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What taking the place does, in order. Pure: the same parts give the same agenda.
 *
 * @param parts what was found of the predecessor
 * @param notes what a person should know
 * @param record of an earlier try
 */
record Taking(
        Predecessor system,
        String namespace,
        List<Part> parts,
        List<String> notes,
        Optional<TakeoverRecord> record) {
    Agenda agenda() {
        var obstacles = new ArrayList<>(system.obstacles(parts, namespace));
        record.filter(known -> !known.system().equals(system.name()))
                .ifPresent(
                        known ->
                                obstacles.add(
                                        "a take-over from "
                                                + known.system()
                                                + " is not confirmed yet: give back or confirm it"
                                                + " first"));
        return new Agenda(obstacles, parts.stream().map(Part::text).toList(), notes, steps());
    }

    private List<Step> steps() {
        var steps = new ArrayList<Step>();
        of(Types.DEPLOYMENT).forEach(item -> steps.add(new Step.Stop("stop " + item.text(), item)));
        parts.stream()
                .filter(part -> part.fate() == Fate.REMOVED || part.fate() == Fate.ENDED)
                .map(Part::item)
                .forEach(item -> steps.add(new Step.Remove("delete " + item.text(), item)));
        steps.addAll(system.changes(parts));
        if (!steps.isEmpty() && system.isGivenBackByUs()) {
            steps.addFirst(note());
        }
        return steps;
    }

    private List<Item> of(ResourceType type) {
        return parts.stream()
                .filter(part -> part.fate() == Fate.REMOVED && part.item().type() == type)
                .map(Part::item)
                .toList();
    }

    private Step note() {
        var before = record.orElse(new TakeoverRecord(system.name(), List.of()));
        var all = before.with(parts.stream().filter(Taking::isRestored).map(Part::item).toList());
        return new Step.Note(
                "write down in ConfigMap "
                        + TakeoverRecord.key(namespace)
                        + " what goes, so that it can come back",
                all.configMap(namespace));
    }

    /** Accounts are not removed, but our manifests change them. */
    private static boolean isRestored(Part part) {
        return part.fate() == Fate.REMOVED
                || part.item().type() == Types.SERVICE_ACCOUNT && part.fate() == Fate.CHANGED;
    }
}
