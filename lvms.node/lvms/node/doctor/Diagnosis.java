package lvms.node.doctor;

import lvms.api.finding.Finding;
import lvms.api.finding.FindingJson;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.VolumeGroupReport;

import java.util.List;
import java.util.stream.Stream;

/** A machine and its findings, as tables or JSON. */
public record Diagnosis(Machine machine, List<Finding> findings) {
    public Diagnosis {
        findings = List.copyOf(findings);
    }

    public static Diagnosis of(Machine machine) {
        return new Diagnosis(machine, Findings.of(machine));
    }

    /** Returns the same with one finding more. */
    public Diagnosis with(Finding more) {
        return new Diagnosis(machine, Stream.concat(findings.stream(), Stream.of(more)).toList());
    }

    /** Returns whether somebody has to act. */
    public boolean urgent() {
        return findings.stream().anyMatch(Finding::urgent);
    }

    /** Returns the tables that people read. */
    public String text() {
        var engine = machine.engine();
        var facts = new Table("LVM", engine.lvmVersion());
        facts.add("engine", engine.kind() + ": " + engine.reason());
        facts.add("whose", machine.whose());
        machine.tools()
                .forEach((tool, version) -> facts.add(tool, version.isEmpty() ? "-" : version));
        machine.settings().forEach(facts::add);
        var table = new Table("SEVERITY", "WHERE", "FINDING", "WHAT TO DO");
        findings.forEach(f -> table.add(f.severity().text(), f.subject(), f.text(), f.cure()));
        return facts.text() + '\n' + (findings.isEmpty() ? "nothing found\n" : table.text());
    }

    /** Returns the JSON that programs read. */
    public ObjectTree json() {
        var lvm = ObjectTree.builder();
        lvm.put("version", machine.engine().lvmVersion());
        lvm.put("engine", machine.engine().kind().name());
        lvm.put("reason", machine.engine().reason());
        lvm.put("whose", machine.whose());
        var json = ObjectTree.builder();
        json.put("lvm", lvm.build());
        var tools = ObjectTree.builder();
        machine.tools().forEach(tools::put);
        json.put("tools", tools.build());
        var settings = ObjectTree.builder();
        machine.settings().forEach(settings::put);
        json.put("settings", settings.build());
        json.put("findings", FindingJson.of(findings));
        return json.build();
    }

    /**
     * Returns the machine's part of a report: the findings, and the volume groups with what the
     * extents of their disks are for.
     *
     * @param history how full pools were, as the agent has it
     */
    public ObjectTree report(ListTree history) {
        var json = ObjectTree.builder();
        json.put("findings", FindingJson.of(findings));
        json.put("history", history);
        json.put("volumeGroups", VolumesJson.withExtents(machine.groups()));
        return json.build();
    }

    /** Returns groups, pools and volumes as tables. */
    public static String volumesText(List<VolumeGroupReport> groups) {
        return VolumesText.of(groups);
    }

    /** Returns groups, pools and volumes as JSON. */
    public static ObjectTree volumesJson(List<VolumeGroupReport> groups) {
        return VolumesJson.of(groups);
    }
}
