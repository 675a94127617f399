package lvms.operator.preflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.preflight.Check.Verdict;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a look at a node found is judged by what would not work there. */
class MachineChecksTests {
    private static final String MODULES =
            "'modules':{'dm_mod':'loaded','dm_thin_pool':'available','dm_snapshot':'loaded',"
                    + "'dm_raid':'loaded'}";
    private static final String GOOD =
            "'kernel':'6.1','kubelet':'/var/lib/kubelet','hostLvm':false," + MODULES;
    private static final String DISKS =
            "'disks':[{'name':'/dev/sda','sizeBytes':1024,'volumeGroup':'root'},"
                    + "{'name':'/dev/sdb','sizeBytes':1073741824}]";

    private static ObjectTree answer(String machine, String disks) {
        return Json.parse(("{'machine':{" + machine + "}," + disks + "}").replace('\'', '"'))
                .asObject();
    }

    private static Check check(String subject, String machine) {
        return MachineChecks.ofMachine(answer(machine, DISKS)).stream()
                .filter(check -> check.subject().equals(subject))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aGoodMachineHasNothingToDo() {
        var checks = MachineChecks.ofMachine(answer(GOOD, DISKS));
        assertTrue(checks.stream().allMatch(c -> c.verdict() == Verdict.OK), checks::toString);
        assertEquals("free: /dev/sdb 1GiB; volume groups: root", check("disks", GOOD).text());
    }

    @Test
    void withoutTheDeviceMapperNothingWorksAndWithoutAModuleSomeKindOfVolume() {
        var bare = "'kernel':'6.1','modules':{'dm_mod':'missing','dm_raid':'available'}";
        assertEquals(Verdict.PROBLEM, check("device-mapper", bare).verdict());
        assertEquals(Verdict.OK, check("module dm_raid", bare).verdict());
        var thin = check("module dm_thin_pool", bare);
        assertEquals(Verdict.WARNING, thin.verdict());
        assertTrue(thin.text().contains("no classes with a thin pool"), thin::toString);
    }

    @Test
    void anotherFolderOfKubeletNeedsAnArgumentThatIsNamed() {
        var check = check("kubelet's folder", "'kubelet':'/var/lib/k0s/kubelet'");
        assertEquals(Verdict.WARNING, check.verdict());
        assertEquals("add --kubelet-root=/var/lib/k0s/kubelet to the operator", check.cure());
    }

    @Test
    void foldersThatCannotBeWrittenMatterWhereSomebodyWrites() {
        assertEquals(Verdict.PROBLEM, check("folders", "'readOnly':['/var/lib']").verdict());
        assertEquals(Verdict.OK, check("folders", "'readOnly':['/etc']").verdict());
        assertEquals(Verdict.OK, check("LVM", "'readOnly':['/etc']").verdict());
        assertEquals(Verdict.WARNING, check("LVM", "'readOnly':['/etc'],'hostLvm':true").verdict());
    }

    @Test
    void whatIsTheSameOnSeveralNodesIsOneLine() {
        var nodes =
                new TreeMap<>(
                        Map.of(
                                "n1", answer(GOOD, DISKS),
                                "n2", answer(GOOD, "'disks':[]")));
        var subjects = MachineChecks.of(nodes).stream().map(Check::subject).toList();
        assertTrue(
                subjects.containsAll(
                        List.of("device-mapper of n1, n2", "disks of n1", "disks of n2")),
                subjects::toString);
    }
}
