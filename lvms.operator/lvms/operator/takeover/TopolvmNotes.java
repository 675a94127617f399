package lvms.operator.takeover;

import lvms.api.Driver;
import lvms.k8s.object.Types;
import lvms.operator.topolvm.HelmRelease;
import lvms.operator.topolvm.LvmdFile;
import lvms.operator.topolvm.TopolvmPrograms;
import lvms.operator.uninstall.Item;

import java.util.ArrayList;
import java.util.List;

/**
 * What a person should know before the release is upgraded.
 *
 * @param parts what was found
 */
record TopolvmNotes(List<Part> parts) {
    List<String> all() {
        var notes = new ArrayList<String>();
        definitions(notes);
        release(notes);
        classes(notes);
        amounts(notes);
        if (isLegacy()) {
            notes.add(
                    "it runs with USE_LEGACY: keep useLegacy in the values; afterwards lvms"
                            + " takeover run --from topolvm-legacy can move its LogicalVolumes");
        }
        return notes;
    }

    /** The one mistake that costs all data. */
    private void definitions(List<String> notes) {
        for (var crd : TopolvmLegacy.items(parts, Types.CRD)) {
            if (!HelmPolicy.keeps(crd) && HelmRelease.isOfHelm(crd.object())) {
                notes.add(
                        "DANGER: "
                                + crd.text()
                                + " is a template of the release and Helm is not told to keep it:"
                                + " helm uninstall, or an upgrade to a chart or to values without"
                                + " it, deletes it, with it all LogicalVolumes, and TopoLVM then"
                                + " deletes all data. Run this take-over, and never uninstall the"
                                + " release of TopoLVM's chart");
            }
        }
    }

    private void release(List<String> notes) {
        for (var secret : TopolvmLegacy.items(parts, Types.SECRET)) {
            notes.add(
                    "Helm release "
                            + secret.object().label("name").orElse("")
                            + ", revision "
                            + secret.object().label("version").orElse("")
                            + ", "
                            + secret.object().label("status").orElse("")
                            + ": upgrade it under this name, or the objects get other names");
        }
        if (TopolvmLegacy.items(parts, Types.SECRET).isEmpty()) {
            notes.add(
                    "no release of Helm was found: after helm template and kubectl apply, or with"
                            + " Argo CD, see that nothing prunes the CustomResourceDefinition");
        }
    }

    private void classes(List<String> notes) {
        for (var file : TopolvmLegacy.items(parts, Types.CONFIG_MAP)) {
            try {
                notes.addAll(LvmdFile.of(file).classes());
            } catch (IllegalArgumentException _) {
                continue; // an obstacle says so
            }
        }
    }

    private void amounts(List<String> notes) {
        for (var driver : List.of(Driver.TOPOLVM, Driver.LEGACY)) {
            var objects = TopolvmLegacy.volumes(parts, driver);
            if (!objects.isEmpty()) {
                long nodes = objects.stream().map(v -> v.spec().nodeName()).distinct().count();
                notes.add(
                        "%d LogicalVolumes of %s on %d nodes"
                                .formatted(objects.size(), driver.group(), nodes));
            }
        }
    }

    private boolean isLegacy() {
        return parts.stream()
                .map(Part::item)
                .filter(TopolvmNotes::isWorkload)
                .anyMatch(item -> TopolvmPrograms.driver(item.object()).equals(Driver.LEGACY));
    }

    static boolean isWorkload(Item item) {
        return item.type().equals(Types.DEPLOYMENT) || item.type().equals(Types.DAEMON_SET);
    }
}
