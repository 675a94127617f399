package lvms.operator.preflight;

import lvms.api.disk.Disk;
import lvms.api.machine.MachineFacts;
import lvms.api.machine.ModuleState;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.volume.SizeRules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * Judges what {@code lvms check --local -o=json} says of machines. What is the same on several is
 * one line. Pure.
 */
public final class MachineChecks {
    private static final String KUBELET = "/var/lib/kubelet";
    private static final int MOST_DISKS = 6;

    /** What does not work without a module. */
    private static final Map<String, String> USES =
            Map.of(
                    "dm_thin_pool", "classes with a thin pool",
                    "dm_snapshot", "snapshots of thick volumes",
                    "dm_raid", "classes with RAID");

    private final MachineFacts facts;
    private final List<Disk> disks;

    private MachineChecks(MachineFacts facts, List<Disk> disks) {
        this.facts = facts;
        this.disks = disks;
    }

    /** Judges the answers of nodes. */
    public static List<Check> of(SortedMap<String, ObjectTree> byNode) {
        var nodes = new LinkedHashMap<Check, List<String>>();
        byNode.forEach(
                (node, answer) -> {
                    for (var check : ofMachine(answer)) {
                        nodes.computeIfAbsent(check, _ -> new ArrayList<>()).add(node);
                    }
                });
        return nodes.entrySet().stream()
                .map(entry -> on(String.join(", ", entry.getValue()), entry.getKey()))
                .toList();
    }

    private static Check on(String nodes, Check check) {
        var subject = check.subject() + " of " + nodes;
        return new Check(check.verdict(), subject, check.text(), check.cure());
    }

    /** Judges the answer of one machine. */
    public static List<Check> ofMachine(ObjectTree answer) {
        var facts = MachineFacts.of(answer.object("machine").orElse(ObjectTree.EMPTY));
        var disks = answer.objects("disks").stream().map(Disk::of).toList();
        return new MachineChecks(facts, disks).all();
    }

    private List<Check> all() {
        var checks = new ArrayList<Check>();
        checks.add(deviceMapper());
        USES.keySet().stream().sorted().forEach(name -> checks.add(module(name)));
        checks.add(lvm());
        checks.add(kubelet());
        checks.add(folders());
        if (!facts.selinux().isEmpty()) {
            checks.add(
                    Check.ok(
                            "SELinux",
                            facts.selinux()
                                    + "; the agents' pods are privileged, so not confined"));
        }
        checks.add(freeDisks());
        return checks;
    }

    private ModuleState state(String module) {
        return facts.modules().getOrDefault(module, ModuleState.MISSING);
    }

    private Check deviceMapper() {
        return state("dm_mod") == ModuleState.MISSING
                ? Check.problem(
                        "device-mapper",
                        "kernel " + facts.kernel() + " has no dm_mod",
                        "install the kernel's package of modules, or name their folder in"
                                + " --vgmanager-modules-dir")
                : Check.ok("device-mapper", "dm_mod is " + state("dm_mod").text());
    }

    private Check module(String name) {
        var subject = "module " + name;
        return state(name) == ModuleState.MISSING
                ? Check.warning(
                        subject,
                        "kernel " + facts.kernel() + " does not have it: no " + USES.get(name),
                        "install the kernel's package of modules, or name their folder in"
                                + " --vgmanager-modules-dir")
                : Check.ok(subject, state(name).text());
    }

    private Check lvm() {
        if (!facts.hostLvm()) {
            return Check.ok("LVM", "the host has none, so the image's is used");
        }
        if (facts.readOnly().contains("/etc")) {
            return Check.warning(
                    "LVM",
                    "the host's is used, and /etc cannot be written",
                    "see that its backup and archive folders (lvm.conf, backup) can be written");
        }
        return Check.ok(
                "LVM",
                facts.devicesFile()
                        ? "the host's is used; it adds new disks to its devices file"
                        : "the host's is used");
    }

    private Check kubelet() {
        var subject = "kubelet's folder";
        var folder = facts.kubelet().orElse("");
        if (folder.equals(KUBELET)) {
            return Check.ok(subject, folder);
        }
        return folder.isEmpty()
                ? Check.warning(
                        subject,
                        "no kubelet was found",
                        "if its --root-dir is not " + KUBELET + ", name it in --kubelet-root")
                : Check.warning(
                        subject, folder, "add --kubelet-root=" + folder + " to the operator");
    }

    private Check folders() {
        return facts.readOnly().contains("/var/lib")
                ? Check.problem(
                        "folders",
                        "/var/lib cannot be written, where the agents keep lvmd.yaml",
                        "name a folder that outlives a reboot in --vgmanager-config-dir")
                : Check.ok("folders", "/var/lib can be written");
    }

    private Check freeDisks() {
        var free = disks.stream().filter(Disk::free).toList();
        var text = new StringBuilder();
        text.append(free.isEmpty() ? "none is free" : "free: " + names(free));
        var groups = disks.stream().map(Disk::group).filter(group -> !group.isEmpty());
        var others = groups.distinct().sorted().collect(Collectors.joining(", "));
        text.append(others.isEmpty() ? "" : "; volume groups: " + others);
        return free.isEmpty()
                ? Check.warning("disks", text.toString(), "lvms disks says why each is not free")
                : Check.ok("disks", text.toString());
    }

    private static String names(List<Disk> disks) {
        var names =
                disks.stream()
                        .limit(MOST_DISKS)
                        .map(disk -> disk.name() + " " + SizeRules.text(disk.sizeBytes()))
                        .collect(Collectors.joining(", "));
        int more = disks.size() - MOST_DISKS;
        return more > 0 ? names + " and " + more + " more" : names;
    }
}
