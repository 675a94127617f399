package lvms.operator.takeover;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.takeover.Takeover.LvmdJudge;
import lvms.operator.topolvm.HelmRelease;
import lvms.operator.topolvm.LvmdFile;
import lvms.operator.topolvm.ReleaseValues;
import lvms.operator.uninstall.Item;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What would make an upgrade of TopoLVM's release fail halfway, or hurt.
 *
 * @param parts what was found
 * @param judge says what our agents will say of files
 */
record TopolvmObstacles(List<Part> parts, LvmdJudge judge) {
    /** What the chart's workloads select by; those of a selector cannot be changed. */
    private static final Set<String> SELECTOR =
            Set.of(
                    "app.kubernetes.io/component",
                    "app.kubernetes.io/name",
                    "app.kubernetes.io/instance");

    private static final List<String> UNREST = List.of("pending-", "uninstalling");

    List<String> all() {
        var found = new ArrayList<String>();
        programs(found);
        definitions(found);
        twoDrivers(found);
        for (var item : TopolvmLegacy.items(parts, LvmCluster.TYPE)) {
            found.add(
                    item.text()
                            + " is there too: one driver cannot be served by two installations;"
                            + " bring one of them to its end first");
        }
        release(found);
        owners(found);
        workloads(found);
        files(found);
        return found;
    }

    private void programs(List<String> found) {
        if (parts.stream().map(Part::item).noneMatch(TopolvmNotes::isWorkload)) {
            found.add("no workload runs TopoLVM's programs here: nothing is to be taken over");
        }
    }

    private void definitions(List<String> found) {
        for (var crd : TopolvmLegacy.items(parts, Types.CRD)) {
            if (crd.object().terminating()) {
                found.add(
                        crd.text()
                                + " is being deleted: stop topolvm-node on all nodes at once, since"
                                + " it deletes the data of each LogicalVolume that goes");
            }
        }
    }

    private void twoDrivers(List<String> found) {
        boolean both =
                List.of(Driver.TOPOLVM, Driver.LEGACY).stream()
                        .noneMatch(driver -> TopolvmLegacy.volumes(parts, driver).isEmpty());
        if (both) {
            found.add(
                    "there are LogicalVolumes of both groups: finish lvms takeover run --from"
                            + " topolvm-legacy, or find out who made those of the other group");
        }
    }

    /** Helm refuses, or undoes, what it finds half done. */
    private void release(List<String> found) {
        for (var secret : TopolvmLegacy.items(parts, Types.SECRET)) {
            var status = secret.object().label("status").orElse("");
            if (UNREST.stream().anyMatch(status::startsWith)) {
                found.add(
                        "Helm release "
                                + secret.object().label("name").orElse("")
                                + " is \""
                                + status
                                + "\": bring it to rest by helm rollback first");
            }
        }
    }

    /** Helm lets no release have what another one has. */
    private void owners(List<String> found) {
        for (var secret : TopolvmLegacy.items(parts, Types.SECRET)) {
            var release = secret.object().label("name").orElse("");
            var classes =
                    ReleaseValues.of(secret)
                            .orElse(new ReleaseValues(ObjectTree.EMPTY))
                            .storageClasses();
            for (var item : parts.stream().map(Part::item).toList()) {
                var owner = HelmRelease.name(item.object()).orElse(release);
                if (!owner.equals(release) && isRendered(item, classes)) {
                    found.add(
                            item.text()
                                    + " belongs to Helm release "
                                    + owner
                                    + ", and release "
                                    + release
                                    + " has one of that name: helm upgrade refuses that; take it"
                                    + " out of one of the two");
                }
            }
        }
    }

    private static boolean isRendered(Item item, List<String> storageClasses) {
        return item.type().equals(Types.CRD)
                || item.type().equals(Types.CSI_DRIVER)
                || item.type().equals(Types.STORAGE_CLASS) && storageClasses.contains(item.name());
    }

    private void workloads(List<String> found) {
        for (var item : parts.stream().map(Part::item).toList()) {
            if (TopolvmNotes.isWorkload(item) && !hasSelectorOfTheChart(item)) {
                found.add(
                        item.text()
                                + " selects its pods by other labels than the chart's, and a"
                                + " selector cannot be changed: delete it right before the"
                                + " upgrade; what is mounted stays mounted");
            }
        }
    }

    private static boolean hasSelectorOfTheChart(Item item) {
        return item.object()
                .textMap("spec", "selector", "matchLabels")
                .keySet()
                .containsAll(SELECTOR);
    }

    private void files(List<String> found) {
        for (var file : TopolvmLegacy.items(parts, Types.CONFIG_MAP)) {
            try {
                LvmdFile.of(file);
                judge.refusal(LvmdFile.text(file))
                        .ifPresent(
                                why ->
                                        found.add(
                                                file.text()
                                                        + ": our agent would refuse lvmd.yaml: "
                                                        + why));
            } catch (IllegalArgumentException e) {
                found.add(file.text() + ": lvmd.yaml cannot be read: " + e.getMessage());
            }
        }
    }
}
