package lvms.operator.overview;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.LvmVolumeGroup;
import lvms.api.finding.Finding;

import org.junit.jupiter.api.Test;

import java.util.List;

/** What a class wants of a node's disks and does not get is found, with what to do. */
class DiskFindingsTests {
    private static final String FREE = "{name: /dev/sdb, type: disk, sizeBytes: 1073741824}";
    private final Scene scene =
            Scene.working().without("LVMCluster", "my").without("LVMVolumeGroupNodeStatus", "n1");

    private void cluster(String selector) {
        scene.with(
                """
                kind: LVMCluster
                metadata: {name: my, namespace: lvms-system}
                spec: {storage: {deviceClasses: [{name: ssd%s}]}}
                """
                        .formatted(selector));
    }

    private void naming(String paths) {
        cluster(", deviceSelector: {" + paths + "}");
    }

    private void node(String groups, String... disks) {
        scene.with(
                """
                kind: LVMVolumeGroupNodeStatus
                metadata: {name: n1, namespace: lvms-system}
                spec: {nodeStatus: [%s], disks: [%s]}
                """
                        .formatted(groups, String.join(", ", disks)));
    }

    private static String disk(String name, String fields, String obstacle) {
        return "{name: %s, type: disk, sizeBytes: 1073741824%s, obstacles: ['%s %s']}"
                .formatted(name, fields, name, obstacle);
    }

    private List<String> found() {
        return ClusterFindings.of(scene.overview()).stream()
                .map(f -> f.severity() + " " + f.subject() + ": " + f.text() + " -> " + f.cure())
                .toList();
    }

    @Test
    void aPathWithDataSaysHowToGetRidOfIt() {
        naming("paths: [/dev/sdb]");
        node("", disk("/dev/sdb", ", content: xfs", "has a filesystem signature \"xfs\""));
        assertEquals(
                List.of(
                        "ERROR node n1, class ssd: /dev/sdb cannot be used: /dev/sdb has a"
                                + " filesystem signature \"xfs\" -> if nobody needs what is on it:"
                                + " wipefs --all /dev/sdb on the node"),
                found());
    }

    @Test
    void aMemberThatTheClassNamesByTheKernelsNameIsShownByAPathThatStays() {
        naming("paths: [/dev/sdb, /dev/disk/by-id/wwn-0x2], optionalPaths: [/dev/sdd]");
        node(
                "{name: ssd, status: Ready}",
                member("sdb", "by-id/ata-b, by-id/lvm-pv-uuid-b, by-id/wwn-0x1, by-path/b"),
                member("sdc", "by-id/wwn-0x2"),
                member("sdd", "by-path/d"));
        assertEquals(
                List.of(
                        "NOTE node n1, class ssd: /dev/sdb is /dev/disk/by-id/wwn-0x1; another disk"
                                + " may have the first name after a boot -> name"
                                + " /dev/disk/by-id/wwn-0x1 in the class instead"),
                found());
    }

    private static String member(String name, String links) {
        return "{name: /dev/%s, type: disk, sizeBytes: 1073741824, volumeGroup: ssd, links: [%s]}"
                .formatted(name, links.replaceAll("by-", "/dev/disk/by-"));
    }

    /** The status names the first path alone; what to do about it stands beside it. */
    @Test
    void whatTheGroupSaysIsNotSaidTwice() {
        naming("paths: [/dev/sdb, /dev/sdc]");
        node(
                "{name: ssd, status: Failed, reason: 'path \"/dev/sdb\" cannot be used'}",
                disk("/dev/sdb", ", volumeGroup: old", "is in old"),
                disk("/dev/sdc", ", partitions: [sdc1, sdc2]", "has children"));
        assertEquals(
                List.of(
                        "ERROR node n1, class ssd: Failed: path \"/dev/sdb\" cannot be used -> if"
                                + " nobody needs volume group old: vgremove old and pvremove"
                                + " /dev/sdb on the node",
                        "ERROR node n1, class ssd: /dev/sdc cannot be used: /dev/sdc has children"
                                + " -> name one of sdc1, sdc2 instead, or remove them on the node"),
                found());
    }

    @Test
    void anOptionalPathThatIsNotFreeIsAWarningAndOneThatIsNotThereIsNothing() {
        naming("optionalPaths: [/dev/sdb, /dev/sdc, /dev/sdx]");
        node(
                "{name: ssd, status: Ready, devices: [/dev/sdb]}",
                "{name: /dev/sdb, type: disk, sizeBytes: 1, volumeGroup: ssd, obstacles: [x]}",
                disk("/dev/sdc", "", "is in use: mounted at /data"));
        assertEquals(
                List.of(
                        "WARNING node n1, class ssd: /dev/sdc cannot be used: /dev/sdc is in use:"
                                + " mounted at /data -> free the disk on the node, or name another"
                                + " one; lvms disks shows them"),
                found());
    }

    @Test
    void aPathThatLeadsNowhereIsFoundUntilTheGroupIsReady() {
        naming("paths: [/dev/disk/by-id/gone]");
        node("{name: ssd, status: Progressing}", FREE);
        assertEquals(
                List.of(
                        "WARNING node n1, class ssd: no disk of the node is listed at"
                                + " /dev/disk/by-id/gone -> plug the disk in, or correct the path;"
                                + " lvms disks shows what each node has"),
                found());
        scene.without("LVMVolumeGroupNodeStatus", "n1");
        node("{name: ssd, status: Ready, devices: [/dev/sdb]}", FREE);
        assertEquals(List.of(), found());
    }

    @Test
    void aDiskThatWillBeWipedIsNoTrouble() {
        naming("paths: [/dev/sdb], forceWipeDevicesAndDestroyAllData: true");
        node("", disk("/dev/sdb", ", content: xfs", "has a filesystem signature \"xfs\""));
        assertEquals(List.of(), found());
    }

    @Test
    void whatKeepsADiskFromBeingWipedIsSaid() {
        naming("paths: [/dev/sdb], forceWipeDevicesAndDestroyAllData: true");
        node(
                "",
                disk(
                        "/dev/sdb",
                        ", content: linux_raid_member, partitions: [md0], keptFromWipe: '/dev/md0"
                                + " lies on it'",
                        "has children block devices: md0"));
        assertEquals(
                List.of(
                        "ERROR node n1, class ssd: /dev/sdb cannot be used: /dev/sdb has children"
                                + " block devices: md0; /dev/md0 lies on it -> name one of md0"
                                + " instead, or remove them on the node"),
                found());
    }

    @Test
    void aClassThatFindsNoDiskIsFoundBeforeItsGroupFails() {
        cluster("");
        node("", disk("/dev/sda", "", "is in use: mounted at /"));
        assertEquals(
                List.of(
                        "ERROR node n1, class ssd: no disk of the node is free for it -> lvms disks"
                                + " --class=ssd shows what keeps each disk out"),
                found());
        scene.without("LVMVolumeGroupNodeStatus", "n1");
        node(
                "{name: ssd, status: Failed, reason: no disk}",
                FREE.replace("}", ", obstacles: [x]}"));
        assertEquals(1, found().size(), found().toString());
        assertEquals(
                "lvms disks --class=ssd shows each disk; lvms doctor --local in the agent's pod of"
                        + " that node says more",
                ClusterFindings.of(scene.overview()).stream()
                        .map(Finding::cure)
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void freeDisksAndUnknownOnesAreNoTrouble() {
        cluster("");
        node("", FREE);
        assertEquals(List.of(), found());
        scene.without("LVMVolumeGroupNodeStatus", "n1");
        node("");
        assertEquals(List.of(), found());
    }

    @Test
    void nothingIsSaidWithoutTheGroupsThatMayHaveADiskAlready() {
        naming("paths: [/dev/sdb]");
        node("", disk("/dev/sdb", "", "has children"));
        scene.unread(LvmVolumeGroup.TYPE);
        assertEquals(List.of(), found());
    }
}
