package lvms.operator.overview;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The installation as tables: clusters, programs, nodes, device classes, disks. */
public final class StatusReport {
    private final Overview overview;

    private StatusReport(Overview overview) {
        this.overview = overview;
    }

    public static List<Section> of(Overview overview) {
        var report = new StatusReport(overview);
        var sections =
                new ArrayList<>(
                        List.of(
                                report.clusters(),
                                report.programs(),
                                report.nodes(),
                                report.classes(),
                                report.disks()));
        sections.addAll(NativeStorTables.of(overview));
        return List.copyOf(sections);
    }

    private Section clusters() {
        return Section.of(
                "clusters",
                List.of("cluster", "state", "ageSeconds", "message"),
                overview.clusters().stream()
                        .map(
                                cluster ->
                                        List.of(
                                                Cell.of(cluster.object().key().toString()),
                                                Cell.of(cluster.status().state()),
                                                Cell.age(overview.age(cluster.object())),
                                                Cell.of(message(cluster)))));
    }

    static String message(LvmCluster cluster) {
        return cluster.status().conditions().stream()
                .filter(condition -> !condition.holds())
                .map(Condition::message)
                .collect(Collectors.joining("; "));
    }

    private Section programs() {
        return Section.of(
                "programs",
                List.of(
                        "program",
                        "node",
                        "pod",
                        "ready",
                        "restarts",
                        "image",
                        "imageId",
                        "problem"),
                overview.pods().stream()
                        .map(
                                pod ->
                                        List.of(
                                                Cell.of(pod.program()),
                                                Cell.of(pod.node()),
                                                Cell.of(pod.object().name()),
                                                Cell.of(pod.ready()),
                                                Cell.of(pod.restarts()),
                                                Cell.of(pod.image()),
                                                digest(pod.imageId()),
                                                Cell.of(pod.problem()))));
    }

    /** People compare the first digits. */
    private static Cell digest(String imageId) {
        var digest = imageId.substring(imageId.indexOf(':') + 1);
        return imageId.isEmpty()
                ? Cell.NONE
                : new Cell(
                        digest.substring(0, Math.min(12, digest.length())),
                        Cell.of(imageId).json());
    }

    private Section nodes() {
        return Section.of(
                "nodes",
                List.of("node", "ready", "wanted", "agent", "build", "registered", "classes"),
                overview.nodes().stream().map(this::node));
    }

    private List<Cell> node(KubeObject node) {
        var status =
                overview.statuses().stream().filter(s -> s.node().equals(node.name())).findFirst();
        var groups = status.map(LvmVolumeGroupNodeStatus::volumeGroups).orElse(List.of());
        long ready = groups.stream().filter(group -> group.is(VolumeGroupState.READY)).count();
        return List.of(
                Cell.of(node.name()),
                Cell.of(Overview.ready(node)),
                Cell.of(overview.wanted(node)),
                Cell.of(
                        overview.agentOn(node.name())
                                .map(pod -> pod.ready() ? "ready" : "not ready")),
                status.flatMap(s -> s.object().annotation(Names.BUILD_ANNOTATION))
                        .map(StatusReport::build)
                        .orElse(Cell.NONE),
                Cell.of(!overview.registered(node.name()).isEmpty()),
                Cell.of(groups.isEmpty() ? "" : ready + " of " + groups.size() + " ready"));
    }

    /** People compare the first digits of the commit. */
    private static Cell build(String build) {
        int commit = build.indexOf('+') + 1;
        int shown = commit == 0 ? build.length() : Math.min(commit + 12, build.length());
        return new Cell(build.substring(0, shown), Cell.of(build).json());
    }

    private Section classes() {
        return Section.of(
                "classes",
                List.of(
                        "node",
                        "deviceClass",
                        "state",
                        "kind",
                        "pool",
                        "disks",
                        "volumes",
                        "promisedBytes",
                        "freeBytes",
                        "unclaimed",
                        "reason"),
                Stream.concat(
                        overview.statuses().stream()
                                .flatMap(
                                        status ->
                                                status.volumeGroups().stream()
                                                        .map(group -> deviceClass(status, group))),
                        overview.nodes().stream().flatMap(this::announced)));
    }

    /** Classes of groups that people made: no status tells of them, but the Node's annotations. */
    private Stream<List<Cell>> announced(KubeObject node) {
        var told =
                overview.statuses().stream()
                        .filter(status -> status.node().equals(node.name()))
                        .flatMap(status -> status.volumeGroups().stream())
                        .map(VolumeGroupStatus::deviceClass)
                        .collect(Collectors.toSet());
        return overview.announced(node).stream()
                .filter(Predicate.not(told::contains))
                .map(deviceClass -> announced(node.name(), deviceClass));
    }

    private List<Cell> announced(String node, String deviceClass) {
        var volumes = overview.volumesOf(node, deviceClass);
        return List.of(
                Cell.of(node),
                Cell.of(deviceClass),
                Cell.NONE,
                Cell.NONE,
                Cell.NONE,
                Cell.NONE,
                Cell.of(volumes.size()),
                Cell.bytes(volumes.stream().mapToLong(v -> v.bytes()).sum()),
                Cell.bytes(overview.free(node, deviceClass)),
                Cell.NONE,
                Cell.NONE);
    }

    private List<Cell> deviceClass(LvmVolumeGroupNodeStatus status, VolumeGroupStatus group) {
        var volumes = overview.volumesOf(status.node(), group.deviceClass());
        var spec =
                overview.groups().stream().filter(o -> o.name().equals(group.name())).findFirst();
        var object = spec.map(LvmVolumeGroup::object);
        var pool = object.flatMap(o -> o.text("spec", "thinPoolConfig", "name"));
        return List.of(
                Cell.of(status.node()),
                Cell.of(group.deviceClass()),
                Cell.of(group.state().map(VolumeGroupState::text)),
                Cell.of(
                        pool.map(_ -> "thin")
                                .or(() -> object.flatMap(o -> o.text("spec", "raidConfig", "type")))
                                .orElse("thick")),
                Cell.of(pool),
                Cell.of(group.devices().size()),
                Cell.of(volumes.size()),
                Cell.bytes(volumes.stream().mapToLong(v -> v.bytes()).sum()),
                Cell.bytes(overview.free(status.node(), group.deviceClass())),
                Cell.of(group.unclaimed().size()),
                Cell.of(group.reason()));
    }

    private Section disks() {
        return Section.of(
                "disks",
                List.of("node", "disk", "sizeBytes", "content", "deviceClass", "used", "reason"),
                overview.statuses().stream().flatMap(StatusReport::disks));
    }

    private static Stream<List<Cell>> disks(LvmVolumeGroupNodeStatus status) {
        var rows = new ArrayList<List<Cell>>();
        for (var group : status.volumeGroups()) {
            for (var disk : group.devices()) {
                boolean missing = disk.equals(VolumeGroupStatus.MISSING_DEVICE);
                rows.add(disk(status, disk, group, !missing, missing ? "missing" : ""));
            }
            for (var disk : group.excluded()) {
                rows.add(
                        disk(status, disk.name(), group, false, String.join("; ", disk.reasons())));
            }
        }
        return rows.stream();
    }

    private static List<Cell> disk(
            LvmVolumeGroupNodeStatus status,
            String name,
            VolumeGroupStatus group,
            boolean used,
            String reason) {
        var found = status.disks().stream().filter(disk -> disk.isAt(name)).findFirst();
        return List.of(
                Cell.of(status.node()),
                Cell.of(name),
                found.map(disk -> Cell.bytes(disk.sizeBytes())).orElse(Cell.NONE),
                found.map(DiskTables::content).orElse(Cell.NONE),
                Cell.of(group.deviceClass()),
                Cell.of(used),
                Cell.of(reason));
    }
}
