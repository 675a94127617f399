package lvms.operator.takeover;

import lvms.api.Driver;
import lvms.k8s.object.Types;
import lvms.operator.takeover.Takeover.LvmdJudge;
import lvms.operator.topolvm.HelmRelease;
import lvms.operator.topolvm.LvmdFile;
import lvms.operator.topolvm.ReleaseValues;
import lvms.operator.topolvm.TopolvmPrograms;
import lvms.operator.uninstall.Item;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What a person should know before the release is upgraded.
 *
 * @param parts what was found
 * @param judge says what our agents will say of files
 */
record TopolvmNotes(List<Part> parts, LvmdJudge judge) {
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
            ReleaseValues.of(secret).ifPresent(values -> image(values, notes));
        }
        if (TopolvmLegacy.items(parts, Types.SECRET).isEmpty()) {
            notes.add(
                    "no release of Helm was found: after helm template and kubectl apply, or with"
                            + " Argo CD, see that nothing prunes the CustomResourceDefinition");
        }
    }

    /** The chart refuses them, before anything changes. */
    private static void image(ReleaseValues values, List<String> notes) {
        for (var key : List.of("repository", "reference")) {
            values.scalar("image", key)
                    .ifPresent(
                            value ->
                                    notes.add(
                                            ("the values of the release have image.%s: %s:"
                                                                    + " remove it,")
                                                            .formatted(key, value)
                                                    + " or name an image of lvms by repository and"
                                                    + " reference"));
        }
        if (values.given().flag("cert-manager", "enabled").orElse(false)) {
            notes.add(
                    "the values of the release have cert-manager.enabled: true: the upgrade would"
                            + " remove cert-manager; install it as a release of its own first");
        }
    }

    private void classes(List<String> notes) {
        var files = new TreeMap<String, String>();
        for (var file : TopolvmLegacy.items(parts, Types.CONFIG_MAP)) {
            var text = LvmdFile.text(file);
            try {
                notes.addAll(LvmdFile.of(file).classes());
                judge.remarks(text).forEach(line -> notes.add(file.text() + ": " + line));
                files.put(file.name(), text);
            } catch (IllegalArgumentException _) {
                continue; // an obstacle says so
            }
        }
        notes.addAll(judge.disagreements(files));
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
