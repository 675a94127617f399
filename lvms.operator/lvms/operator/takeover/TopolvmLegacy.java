package lvms.operator.takeover;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.topolvm.TopolvmPrograms;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.NodeMarks;
import lvms.operator.uninstall.Reads;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * TopoLVM under its old name. Its LogicalVolumes become those of the present name;
 * PersistentVolumes keep their driver, which is served beside the present one from then on.
 */
record TopolvmLegacy() implements Predecessor {
    private static final Driver OLD = Driver.LEGACY;
    private static final Driver NEW = Driver.TOPOLVM;

    @Override
    public String name() {
        return "topolvm-legacy";
    }

    @Override
    public String sign() {
        return TopolvmPrograms.SIGN + " and USE_LEGACY";
    }

    /** After the upgrade the same programs have the present name, and serve the old driver too. */
    @Override
    public List<String> namespaces(Reads reads) throws ApiException, InterruptedException {
        var programs = new TopolvmPrograms(reads);
        var old = programs.namespaces(OLD);
        boolean converted =
                reads.find(Types.CSI_DRIVER, ObjectKey.cluster(OLD.name()))
                        .filter(Drivers::isConverted)
                        .isPresent();
        return old.isEmpty() && converted ? programs.namespaces(NEW) : old;
    }

    @Override
    public List<Part> parts(Reads reads, String namespace)
            throws ApiException, InterruptedException {
        var parts = new ArrayList<Part>();
        for (var item : new TopolvmPrograms(reads).in(namespace)) {
            parts.add(workload(item));
        }
        var definition = ObjectKey.cluster(OLD.logicalVolumes().qualifiedPlural());
        var volumes = reads.list(OLD.logicalVolumes());
        for (var item : reads.named(Types.CRD, definition)) {
            parts.add(
                    volumes.isEmpty()
                            ? new Part(item, Fate.LEFT_OVER, "it has no objects")
                            : new Part(item, Fate.CHANGED, "stays until it has no objects"));
        }
        add(
                parts,
                reads.named(Types.CRD, ObjectKey.cluster(NEW.logicalVolumes().qualifiedPlural())),
                Fate.KEPT,
                "holds the LogicalVolumes");
        add(
                parts,
                reads.named(Types.CSI_DRIVER, ObjectKey.cluster(OLD.name())),
                Fate.CHANGED,
                "says that "
                        + NEW.name()
                        + "'s programs serve it; it stays as long as there are"
                        + " PersistentVolumes of it");
        add(parts, volumes, Fate.MOVED, "becomes one of group " + NEW.group() + " with its volume");
        add(parts, reads.list(NEW.logicalVolumes()), Fate.KEPT, "is in the present group");
        add(parts, ofOld(reads, Types.PV, "spec", "csi", "driver"), Fate.KEPT, "stays mounted");
        add(
                parts,
                ofOld(reads, Types.STORAGE_CLASS, "provisioner"),
                Fate.KEPT,
                "goes on making volumes of the old driver");
        return parts;
    }

    private static Part workload(Item item) {
        return mustStop(item.object())
                ? new Part(item, Fate.CHANGED, "stopped, since it would go on making old volumes")
                : new Part(item, Fate.KEPT, "goes on serving what is mounted");
    }

    private static boolean mustStop(KubeObject workload) {
        return TopolvmPrograms.runs(workload, TopolvmPrograms.CONTROLLER)
                && TopolvmPrograms.driver(workload).equals(OLD);
    }

    private static void add(List<Part> parts, List<Item> items, Fate fate, String why) {
        items.forEach(item -> parts.add(new Part(item, fate, why)));
    }

    private static List<Item> ofOld(Reads reads, ResourceType type, String... path)
            throws ApiException, InterruptedException {
        return reads.list(type).stream()
                .filter(item -> item.object().text(path).filter(OLD.name()::equals).isPresent())
                .toList();
    }

    @Override
    public List<String> obstacles(List<Part> parts, String namespace) {
        return new LegacyObstacles(parts).all();
    }

    /** The controller ends first: it would ask for more after its objects were copied. */
    @Override
    public List<Step> changes(List<Part> parts) {
        var volumes = items(parts, OLD.logicalVolumes());
        var steps = new ArrayList<Step>();
        for (var item : items(parts, Types.DEPLOYMENT)) {
            boolean runs = item.object().number("spec", "replicas").orElse(1) > 0;
            if (mustStop(item.object()) && runs && !volumes.isEmpty()) {
                steps.add(new Step.Stop("stop " + item.text(), item));
            }
        }
        if (!volumes.isEmpty()) {
            items(parts, Types.CRD).forEach(item -> HelmPolicy.keep(item).ifPresent(steps::add));
            adopt(parts, steps);
        }
        for (var item : items(parts, Types.CSI_DRIVER)) {
            HelmPolicy.keep(item).ifPresent(steps::add);
            mark(item).ifPresent(steps::add);
        }
        for (var item : volumes) {
            steps.add(new Step.Move("move " + item.text() + " to group " + NEW.group(), item));
        }
        return steps;
    }

    /** The next upgrade renders the present definition, which a person has applied. */
    private static void adopt(List<Part> parts, List<Step> steps) {
        for (var item : items(parts, Types.CRD)) {
            items(parts, Types.DEPLOYMENT).stream()
                    .findFirst()
                    .flatMap(workload -> HelmPolicy.adopt(item, workload))
                    .ifPresent(steps::add);
        }
    }

    private static Optional<Step> mark(Item csiDriver) {
        return Drivers.isConverted(csiDriver.object())
                ? Optional.empty()
                : Optional.of(
                        new Step.Change(
                                "mark " + csiDriver.text() + " as served with " + NEW.name(),
                                csiDriver,
                                now ->
                                        MergePatch.of(now)
                                                .annotation(Drivers.CONVERTED_MARK, NEW.group())));
    }

    static List<Item> items(List<Part> parts, ResourceType type) {
        return parts.stream().map(Part::item).filter(item -> item.type().equals(type)).toList();
    }

    @Override
    public List<String> notes(KubeClient kube, List<Part> parts) {
        var notes = new ArrayList<String>();
        notes.add(
                "until topolvm-node is upgraded, mounted volumes stay mounted and no other is"
                        + " mounted; claims wait until topolvm-controller is upgraded");
        for (var item : items(parts, Types.STORAGE_CLASS)) {
            notes.add(
                    "Helm cannot change the provisioner of "
                            + item.text()
                            + ": if the chart renders it, delete it before the upgrade; bound"
                            + " claims do not need it");
        }
        return notes;
    }

    @Override
    public boolean isGivenBackByUs() {
        return false;
    }

    @Override
    public Return returning(Reads reads, String namespace) {
        var never =
                "LogicalVolumes of group "
                        + NEW.group()
                        + " cannot become old ones again: TopoLVM finds a volume by the UID of its"
                        + " object alone, which a copy does not have";
        return new Return(List.of(never), List.of(), List.of());
    }

    @Override
    public List<String> unfinished(Reads reads, String namespace)
            throws ApiException, InterruptedException {
        var unfinished = new ArrayList<String>();
        for (var item : reads.list(OLD.logicalVolumes())) {
            unfinished.add(item.text() + " is still in the old group: run the take-over first");
        }
        for (var item : new TopolvmPrograms(reads).in(namespace)) {
            if (TopolvmPrograms.driver(item.object()).equals(OLD)) {
                unfinished.add(item.text() + " still has USE_LEGACY: upgrade it first");
            }
        }
        return unfinished;
    }

    /**
     * Nobody takes the old marks off Nodes, so that a deleted one would stay. One with volumes is
     * let go only once the present finalizer holds it. The annotations of capacity are in use as
     * long as the old driver is served.
     */
    @Override
    public List<Step> farewell(Reads reads) throws ApiException, InterruptedException {
        var marks = new NodeMarks(List.of(OLD));
        var csiDriver = reads.named(Types.CSI_DRIVER, ObjectKey.cluster(OLD.name()));
        var used =
                reads.list(NEW.logicalVolumes()).stream()
                        .map(item -> LogicalVolume.tolerant(item.object()).spec().nodeName())
                        .collect(Collectors.toSet());
        var steps = new ArrayList<Step>();
        for (var node : reads.list(Types.NODE)) {
            boolean held = node.object().finalizers().contains(NEW.nodeFinalizer());
            if (!held && used.contains(node.name())) {
                continue;
            }
            if (csiDriver.isEmpty() && marks.on(node.object())) {
                steps.add(
                        new Step.Change(
                                "take the old marks off " + node.text(), node, marks::cleaning));
            } else if (marks.holds(node.object())) {
                steps.add(
                        new Step.Change(
                                "take the old finalizer off " + node.text(),
                                node,
                                marks::releasing));
            }
        }
        return steps;
    }

    @Override
    public String next() {
        return "upgrade the release without useLegacy, so that its programs serve "
                + NEW.name()
                + ", then confirm";
    }

    /** Returns the volumes of either group. */
    static List<LogicalVolume> volumes(List<Part> parts, Driver driver) {
        return items(parts, driver.logicalVolumes()).stream()
                .map(item -> LogicalVolume.tolerant(item.object()))
                .toList();
    }
}
