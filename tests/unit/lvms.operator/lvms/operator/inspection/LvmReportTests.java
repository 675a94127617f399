package lvms.operator.inspection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.finding.Finding;
import lvms.api.finding.FindingJson;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.overview.Cell;
import lvms.operator.overview.Section;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What agents print becomes tables and findings that name the node; odd JSON breaks nothing. */
class LvmReportTests {
    private static final String VOLUMES =
            """
            {"volumeGroups": [{"name": "vg1", "sizeBytes": 10737418240, "freeBytes": 1073741824,
              "missingPhysicalVolumes": %d, "writable": true, "exported": false,
              "physicalVolumes": [{"device": "/dev/sdb"}, {"device": "/dev/sdc"}],
              "logicalVolumes": [
                {"name": "pool", "sizeBytes": 8589934592, "layout": ["pool", "thin"],
                 "dataPercent": 12.5, "active": true},
                {"name": "a", "sizeBytes": 4294967296, "layout": ["sparse", "thin"],
                 "pool": "pool", "active": true, "open": true},
                {"name": "b", "sizeBytes": 4294967296, "layout": ["sparse", "thin"],
                 "pool": "pool", "active": false, "health": "partial"}]}]}
            """;

    private static SortedMap<String, ObjectTree> byNode(String... nodesAndJson) {
        var nodes = new TreeMap<String, ObjectTree>();
        for (int i = 0; i < nodesAndJson.length; i += 2) {
            nodes.put(nodesAndJson[i], Json.parse(nodesAndJson[i + 1]).asObject());
        }
        return nodes;
    }

    private static List<String> rows(Section section) {
        return section.rows().stream()
                .map(row -> String.join(" ", row.stream().map(Cell::text).toList()))
                .toList();
    }

    @Test
    void groupsAndPoolsOfAllNodesAreSideBySide() {
        var nodes = byNode("n2", VOLUMES.formatted(1), "n1", VOLUMES.formatted(0));
        var usage = LvmReport.usage(nodes);
        assertEquals(
                List.of("n1 vg1 10GiB 1GiB 2 ok", "n2 vg1 10GiB 1GiB 2 1 of its disks missing"),
                rows(usage.getFirst()));
        assertEquals("n1 vg1/pool 8GiB 12.5 - 2 8GiB ok", rows(usage.getLast()).getFirst());
    }

    @Test
    void volumesShowWhetherTheyAreInUse() {
        assertEquals(
                List.of("n1 vg1/a 4GiB pool - in use ok", "n1 vg1/b 4GiB pool - inactive partial"),
                rows(LvmReport.volumes(byNode("n1", VOLUMES.formatted(0))).getFirst()));
    }

    @Test
    void jsonOfAnotherVersionBreaksNothing() {
        var nodes = byNode("n1", "{\"volumeGroups\": [{\"x\": 1}]}", "n2", "{\"other\": true}");
        assertEquals(List.of("n1 - - - 0 ok"), rows(LvmReport.usage(nodes).getFirst()));
        assertEquals(List.of(), NodeFindings.of(nodes));
    }

    @Test
    void aFindingNamesItsNodeAndKeepsItsWords() {
        var full = Finding.warning("vg1/pool", "its data is 91 % full", "add a disk");
        var json = ObjectTree.builder().put("findings", FindingJson.of(List.of(full))).build();
        assertEquals(
                List.of(Finding.warning("node n1, vg1/pool", full.text(), full.cure())),
                NodeFindings.of(byNode("n1", json.toString())));
    }

    @Test
    void aSeverityThatIsNotKnownCountsAsAnError() {
        var odd = "{\"findings\": [{\"severity\": \"fatal\", \"finding\": \"x\"}]}";
        assertEquals(
                Finding.Severity.ERROR, NodeFindings.of(byNode("n1", odd)).getFirst().severity());
    }
}
