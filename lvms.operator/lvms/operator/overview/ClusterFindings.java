package lvms.operator.overview;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.api.finding.Finding;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.operator.topolvm.TopolvmPrograms;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is wrong with clusters, programs, nodes and volume groups. Pure. */
public final class ClusterFindings {
    private final Overview overview;
    private final DiskFindings disks;
    private final List<Finding> found = new ArrayList<>();

    private ClusterFindings(Overview overview) {
        this.overview = overview;
        this.disks = DiskFindings.of(overview);
    }

    /** Returns everything that the objects tell, without what the caller may not read. */
    public static List<Finding> of(Overview overview) {
        var findings = new ClusterFindings(overview);
        findings.clusters();
        findings.programs();
        findings.nodes();
        findings.groups();
        findings.announcedClasses();
        findings.found.addAll(findings.disks.untold());
        findings.found.addAll(PassingNames.of(overview));
        findings.found.addAll(VolumeFindings.of(overview));
        findings.found.addAll(NativeStorFindings.of(overview));
        return List.copyOf(findings.found);
    }

    private void clusters() {
        if (overview.clusters().isEmpty()
                && overview.nativeStor().clusters().isEmpty()
                && overview.knows(LvmCluster.TYPE)
                && !overview.installation().isTopolvm()) {
            found.add(
                    Finding.note(
                            "cluster",
                            "there is no LVMCluster, so no node has an agent",
                            "apply one, such as deploy/samples/lvmcluster.yaml"));
        }
        for (var cluster : overview.clusters()) {
            var message = StatusReport.message(cluster);
            if (!message.isEmpty()) {
                boolean passing = cluster.status().state().equals("Progressing");
                found.add(
                        new Finding(
                                passing ? Finding.Severity.WARNING : Finding.Severity.ERROR,
                                "LVMCluster " + cluster.object().key(),
                                message,
                                "docs/install.md, What can go wrong, has these messages"));
            }
        }
    }

    private void programs() {
        if (!overview.knows(Types.POD)) {
            return;
        }
        if (overview.pods().stream().noneMatch(pod -> pod.isController() && pod.ready())) {
            found.add(noController());
        }
        overview.pods().stream().filter(pod -> !pod.isController()).forEach(this::agent);
        skew();
    }

    private Finding noController() {
        boolean topolvm = overview.installation().isTopolvm();
        var problem =
                overview.pods().stream()
                        .filter(ProductPod::isController)
                        .flatMap(pod -> pod.problem().stream())
                        .findFirst()
                        .orElse("it has no pod");
        return Finding.error(
                topolvm ? TopolvmPrograms.CONTROLLER : "operator",
                "no claim gets a volume: "
                        + overview.installation().maker()
                        + " is not ready: "
                        + problem,
                topolvm
                        ? "kubectl describe deployments -n "
                                + overview.namespace()
                                + "; its log says more"
                        : "kubectl describe deployment lvms-operator; its log says more");
    }

    private void agent(ProductPod pod) {
        pod.problem()
                .ifPresent(
                        problem ->
                                found.add(
                                        Finding.error(
                                                "node " + pod.node(),
                                                "its "
                                                        + pod.role()
                                                        + ", pod "
                                                        + pod.object().name()
                                                        + ", is not ready: "
                                                        + problem,
                                                "kubectl describe pod and kubectl logs of that"
                                                        + " pod")));
    }

    /** Images by their digest where it is known, since one tag has several. */
    private void skew() {
        var controller = overview.installation().isTopolvm() ? "controller" : "operator";
        var programs = new TreeMap<String, List<String>>();
        for (var pod : overview.pods()) {
            var image = pod.imageId().isEmpty() ? pod.image() : pod.imageId();
            var who = pod.isController() ? controller : pod.role() + " of " + pod.node();
            programs.computeIfAbsent(image, _ -> new ArrayList<>()).add(who);
        }
        if (programs.size() > 1) {
            found.add(
                    Finding.warning(
                            "versions",
                            "not every program runs the same image: "
                                    + programs.entrySet().stream()
                                            .map(e -> e.getKey() + ": " + some(e.getValue()))
                                            .collect(Collectors.joining("; ")),
                            "wait for the roll-out, or finish it: docs/operations.md"));
        }
    }

    /** A few names: a cluster may have thousands. */
    private static String some(List<String> names) {
        int shown = Math.min(3, names.size());
        int more = names.size() - shown;
        return String.join(", ", names.subList(0, shown)) + (more > 0 ? ", " + more + " more" : "");
    }

    private void nodes() {
        for (var node : overview.nodes()) {
            if (!Overview.ready(node)) {
                notReady(node);
            } else if (overview.wanted(node)) {
                unserved(node);
            }
        }
    }

    private void notReady(KubeObject node) {
        long volumes =
                overview.volumes().stream()
                        .filter(v -> v.spec().nodeName().equals(node.name()))
                        .count();
        if (volumes > 0 || overview.wanted(node)) {
            found.add(
                    Finding.error(
                            "node " + node.name(),
                            "it is not ready; " + volumes + " volumes are on its disks",
                            "bring the node back, or see docs/bad-days.md for a node that does"
                                    + " not come back"));
        }
    }

    private void unserved(KubeObject node) {
        boolean agent = overview.agentOn(node.name()).isPresent();
        if (!agent && overview.knows(Types.POD)) {
            found.add(
                    Finding.error(
                            "node " + node.name(),
                            "it should have an agent, and there is no pod of one",
                            "kubectl describe daemonset vg-manager"));
        } else if (overview.registered(node.name()).isEmpty() && overview.knows(Types.CSI_NODE)) {
            found.add(
                    Finding.error(
                            "node " + node.name(),
                            "kubelet has not registered the driver, so no pod gets a volume there",
                            "the agent's log says why; --kubelet-root if kubelet has another"
                                    + " --root-dir"));
        } else if (!oldDriverToo(node.name())) {
            found.add(
                    Finding.error(
                            "node " + node.name(),
                            "kubelet has not registered "
                                    + Driver.LEGACY.name()
                                    + ", so no pod gets a volume of it there",
                            "the agent's log says why; it asks when it starts, and needs kubelet's"
                                    + " plugins_registry at its own path"));
        }
    }

    /** Whether the agent serves the old driver, if it is to. */
    private boolean oldDriverToo(String node) {
        var registered = overview.registered(node);
        return !registered.contains(Driver.TOPOLVM)
                || overview.oldServed().map(registered::contains).orElse(true);
    }

    private void groups() {
        for (var status : overview.statuses()) {
            for (var group : status.volumeGroups()) {
                group(status.node(), group);
            }
        }
    }

    /** What no status of groups tells, the annotations of capacity do. */
    private void announcedClasses() {
        if (overview.installation().isTopolvm()) {
            for (var node : overview.nodes()) {
                for (var deviceClass : overview.announced(node)) {
                    if (overview.free(node.name(), deviceClass).orElse(1) == 0) {
                        found.add(full(classOf(node.name(), deviceClass)));
                    }
                }
            }
        }
    }

    private static Finding full(String subject) {
        return Finding.warning(
                subject,
                "no volume fits there any more: 0 bytes are free",
                "add a disk, delete volumes, or let claims go to other nodes");
    }

    private static String classOf(String node, String deviceClass) {
        return "node " + node + ", class " + deviceClass;
    }

    private void group(String node, VolumeGroupStatus group) {
        var subject = classOf(node, group.deviceClass());
        if (group.is(VolumeGroupState.FAILED) || group.is(VolumeGroupState.DEGRADED)) {
            found.add(
                    Finding.error(
                            subject,
                            group.state().orElseThrow().text() + ": " + group.reason(),
                            disks.cure(node, group).orElseGet(() -> whereToLook(group))));
        } else if (group.is(VolumeGroupState.READY) && isFull(node, group)) {
            found.add(full(subject));
        }
        if (!group.unclaimed().isEmpty()) {
            found.add(
                    Finding.warning(
                            subject,
                            "volumes that no LogicalVolume names: "
                                    + some(group.unclaimed().stream().map(v -> v.name()).toList()),
                            "lvms volumes --adopt=VOLUME, or remove them on the node"));
        }
    }

    /** A group that failed is not there: what keeps the disks from becoming one says most. */
    private static String whereToLook(VolumeGroupStatus group) {
        var local = "lvms doctor --local in the agent's pod of that node says more";
        return group.is(VolumeGroupState.FAILED)
                ? "lvms disks --class=%s shows each disk; ".formatted(group.deviceClass()) + local
                : local;
    }

    private boolean isFull(String node, VolumeGroupStatus group) {
        return overview.free(node, group.deviceClass()).orElse(1) == 0;
    }
}
