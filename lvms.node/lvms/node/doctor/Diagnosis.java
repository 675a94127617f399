package lvms.node.doctor;

import com.google.gson.JsonObject;

import lvms.lvm2.VolumeGroupReport;

import java.util.List;

/** A machine and its findings, as tables or JSON. */
public record Diagnosis(Machine machine, List<Finding> findings) {
    public Diagnosis {
        findings = List.copyOf(findings);
    }

    public static Diagnosis of(Machine machine) {
        return new Diagnosis(machine, Findings.of(machine));
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
    public JsonObject json() {
        var lvm = new JsonObject();
        lvm.addProperty("version", machine.engine().lvmVersion());
        lvm.addProperty("engine", machine.engine().kind().name());
        lvm.addProperty("reason", machine.engine().reason());
        lvm.addProperty("whose", machine.whose());
        var json = new JsonObject();
        json.add("lvm", lvm);
        var tools = new JsonObject();
        machine.tools().forEach(tools::addProperty);
        json.add("tools", tools);
        var settings = new JsonObject();
        machine.settings().forEach(settings::addProperty);
        json.add("settings", settings);
        json.add("findings", VolumesJson.array(findings, Diagnosis::json));
        return json;
    }

    private static JsonObject json(Finding finding) {
        var json = new JsonObject();
        json.addProperty("severity", finding.severity().text());
        json.addProperty("subject", finding.subject());
        json.addProperty("finding", finding.text());
        json.addProperty("cure", finding.cure());
        return json;
    }

    /** Returns groups, pools and volumes as tables. */
    public static String volumesText(List<VolumeGroupReport> groups) {
        return VolumesText.of(groups);
    }

    /** Returns groups, pools and volumes as JSON. */
    public static JsonObject volumesJson(List<VolumeGroupReport> groups) {
        return VolumesJson.of(groups);
    }
}
