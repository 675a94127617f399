package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.api.VolumeGroupState;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.Json;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A thin pool that is written to on real devices, beside the whole node agent: it grows before it
 * is full; where it cannot, everybody is told; and it comes back by itself. Each test goes on where
 * the one before ended.
 */
@Lasts(seconds = 90)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@ExtendWith(AgentLog.class)
@FullOnly("unit tests hold the policy, and chaos fills a pool")
class PoolLabTests {
    private static final long MIB = 1L << 20;

    /** Longer than the agent needs; what a person who looks would accept. */
    private static final Duration SOON = Duration.ofSeconds(10);

    private static final String THIN =
            """
            {"deviceSelector": {"paths": ["/dev/ubdb"]}, "thinPoolConfig":
             {"name": "pool", "sizePercent": 30, "overprovisionRatio": 10}}
            """;
    private static final String THICK =
            """
            {"default": true, "deviceSelector": {"paths": ["/dev/ubdc"]}}
            """;

    /** Where kubelet would have it; what is mounted elsewhere is not trimmed. */
    private static final String STAGED = "/var/lib/kubelet/plugins/test/globalmount";

    @TempDir static Path folder;
    private static AgentNode agent;

    @BeforeAll
    static void boot() throws Exception {
        var disks = List.of(512 * MIB, 128 * MIB, 256 * MIB);
        agent = AgentNode.boot(folder, NodeOptions.named(AgentNode.NAME, disks));
        agent.startAgent("--diagnosticsAddr", "127.0.0.1:9100");
        agent.create("thin", THIN);
        agent.create("thick", THICK);
        agent.await("thin", VolumeGroupState.READY);
        agent.await("thick", VolumeGroupState.READY);
        AgentNode.until(() -> agent.capacity("thick") > 0);
        agent.shell(
                """
                lvcreate -qq -y -V 1G -n data thin/pool && mkfs.ext4 -q /dev/thin/data &&
                touch /run/sums && mkdir -p /mnt/data &&
                mount -o discard /dev/thin/data /mnt/data &&
                lvcreate -qq -y -L 16M -n data thick && mkfs.ext4 -q /dev/thick/data\
                """);
    }

    @AfterAll
    static void end() throws Exception {
        if (agent != null) {
            agent.close();
        }
    }

    /** Writes files of 8 MiB that are on disk when it returns, and keeps their checksums. */
    private static void write(int from, int to) throws Exception {
        var script =
                """
                cd /mnt/data && for i in $(seq %d %d); do
                  dd if=/dev/urandom of=f$i bs=1M count=8 conv=fsync status=none || exit 1
                  sed -i "/ f$i$/d" /run/sums
                  sha256sum f$i >> /run/sums || exit 1
                done\
                """;
        agent.node()
                .run(List.of("bash", "-c", script.formatted(from, to)), Duration.ofSeconds(90))
                .require("write");
    }

    private static void intact() throws Exception {
        agent.shell(
                "sync; echo 3 > /proc/sys/vm/drop_caches; cd /mnt/data; sha256sum -c --quiet"
                        + " /run/sums");
    }

    private static double lvs(String column) throws Exception {
        return agent.lvs(column, "thin/pool");
    }

    private static double metric(String name) throws Exception {
        var script =
                "exec 3<>/dev/tcp/127.0.0.1/9100; printf 'GET /metrics HTTP/1.0\\r\\n\\r\\n' >&3;"
                        + " cat <&3";
        var text = agent.node().run("bash", "-c", script).require("metrics");
        var found = Pattern.compile("(?m)^" + name + "\\{[^}]*thin\"[^}]*} (\\S+)").matcher(text);
        return found.find() ? Double.parseDouble(found.group(1)) : -1;
    }

    @Test
    @Order(1)
    @Safety(19)
    void growsBeforeItIsFullWithSnapshotsToo() throws Exception {
        double before = lvs("lv_size");
        write(1, 12);
        agent.shell("lvcreate -qq -y -s -n snap thin/data");
        write(13, 24);
        write(1, 12); // copies of what the snapshot shares
        intact();
        assertTrue(lvs("lv_size") > before, "grown");
        assertTrue(lvs("metadata_percent") < 75, "metadata");
        AgentNode.until(() -> agent.event("ThinPoolGrown"));
        assertTrue(
                agent.shell("lvs -a --noheadings --units b --nosuffix -o lv_name,lv_size thin")
                        .contains("_pmspare"));
        NodeFixture.until(
                SOON,
                () -> Math.abs(metric("topolvm_thinpool_data_percent") - lvs("data_percent")) < 1);
        assertEquals(10 * lvs("lv_size") - virtualBytes(), agent.capacity("thin"), 4 * MIB * 10);
        assertTrue(agent.is("thin", VolumeGroupState.READY));
    }

    private static double virtualBytes() throws Exception {
        return 2.0 * (1L << 30);
    }

    @Test
    @Order(2)
    @Safety(19)
    void saysSoWhereItCannotGrow() throws Exception {
        for (int i = 25; !agent.is("thin", VolumeGroupState.DEGRADED); i++) {
            write(i, i);
            NodeFixture.until(
                    SOON,
                    () -> lvs("data_percent") < 80 || agent.is("thin", VolumeGroupState.DEGRADED));
        }
        var reason = agent.entry("thin").orElseThrow().reason();
        assertTrue(reason.contains("thin pool thin/pool gets no new volumes: data is"), reason);
        assertTrue(reason.contains("the volume group has no room left"), reason);
        AgentNode.until(() -> agent.event("ThinPoolNearlyFull"));
        NodeFixture.until(SOON, () -> agent.capacity("thin") == 0);
        NodeFixture.until(SOON, () -> metric("lvms_thinpool_refuses") == 1);
        assertTrue(metric("lvms_thinpool_level") >= 80);
        assertTrue(agent.is("thick", VolumeGroupState.READY));
        assertTrue(agent.capacity("thick") > 0);
        volumeIsRefused();
        intact();
    }

    /** A scheduler may not have heard yet. */
    private static void volumeIsRefused() throws Exception {
        var wanted =
                """
                {"name": "late", "nodeName": "node1", "size": "8Mi", "deviceClass": "thin"}
                """;
        var key = ObjectKey.cluster("late");
        agent.kube()
                .create(
                        LogicalVolume.TYPE,
                        KubeObject.create(LogicalVolume.TYPE, key)
                                .with(Json.parse(wanted), "spec"));
        AgentNode.until(
                () ->
                        LogicalVolume.of(agent.kube().get(LogicalVolume.TYPE, key))
                                        .status()
                                        .code()
                                        .number()
                                == 8);
        var message =
                LogicalVolume.of(agent.kube().get(LogicalVolume.TYPE, key)).status().message();
        assertTrue(message.contains("gets no new volumes"), message);
    }

    @Test
    @Order(3)
    @Safety(19)
    void comesBackWithADisk() throws Exception {
        var big =
                "dd if=/dev/zero of=/mnt/data/big bs=1M count=150 conv=fsync && touch /run/written";
        agent.node().start("writer.log", List.of("bash", "-c", big));
        AgentNode.until(() -> lvs("data_percent") >= 100);
        assertFalse(agent.node().run("test", "-e", "/run/written").succeeded());
        agent.change("thin", THIN.replace("\"/dev/ubdb\"", "\"/dev/ubdb\", \"/dev/ubdd\""));
        AgentNode.until(() -> agent.node().run("test", "-e", "/run/written").succeeded());
        AgentNode.until(() -> agent.is("thin", VolumeGroupState.READY));
        NodeFixture.until(SOON, () -> agent.capacity("thin") > 0);
        intact();
        agent.shell("umount /mnt/data && e2fsck -fn /dev/thin/data");
    }

    @Test
    @Order(4)
    void whatFilesNoLongerUseComesBackToAPoolThatIsNearlyFull() throws Exception {
        agent.shell("mkdir -p %1$s && mount /dev/thin/data %1$s".formatted(STAGED));
        for (int i = 0; !agent.is("thin", VolumeGroupState.DEGRADED); i++) {
            var file = "dd if=/dev/zero of=%s/more%d bs=1M count=32 conv=fsync status=none";
            agent.shell(file.formatted(STAGED, i));
            NodeFixture.until(
                    SOON,
                    () -> lvs("data_percent") < 80 || agent.is("thin", VolumeGroupState.DEGRADED));
        }
        agent.shell("rm %1$s/more* && sync -f %1$s".formatted(STAGED));
        assertTrue(lvs("data_percent") >= 80, "no discard yet");
        assertEquals(-1, metric("lvms_trim_reclaimed_bytes_total"), "nobody asked for it");
        agent.change("thin", "{\"thinPoolConfig\": {\"trim\": {\"rate\": \"256Mi\"}}}");
        AgentNode.until(() -> agent.is("thin", VolumeGroupState.READY));
        NodeFixture.until(SOON, () -> metric("lvms_trim_end_timestamp_seconds") > 0);
        var reclaimed = metric("lvms_trim_reclaimed_bytes_total");
        assertTrue(reclaimed >= 32 * MIB, reclaimed + " bytes");
        agent.shell("cd %s && sha256sum -c --quiet /run/sums".formatted(STAGED));
        agent.shell("umount %s && e2fsck -fn /dev/thin/data".formatted(STAGED));
    }

    @Test
    @Order(5)
    @Safety(21)
    void capacityFollowsWhatSomebodyDoesByHand() throws Exception {
        long before = agent.capacity("thick");
        agent.shell("lvcreate -qq -y -L 16M -n byhand thick");
        NodeFixture.until(SOON, () -> agent.capacity("thick") == before - 16 * MIB);
        agent.shell("lvremove -qq -y thick/byhand");
        NodeFixture.until(SOON, () -> agent.capacity("thick") == before);
        agent.shell("lvcreate -qq -y -an -Zn -Wn -L 16M -n inactive thick"); // no device, no event
        NodeFixture.until(SOON, () -> agent.capacity("thick") == before - 16 * MIB);
        agent.shell("lvremove -qq -y thick/inactive");
        NodeFixture.until(SOON, () -> agent.capacity("thick") == before);
        var lastRun = "stat -c %y /run/lock/lvm"; // what follows a change takes its time
        AgentNode.until(() -> agent.shell(lastRun).equals(agent.shell("sleep 8; " + lastRun)));
    }
}
