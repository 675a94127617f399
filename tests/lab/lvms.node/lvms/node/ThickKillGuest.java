package lvms.node;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.yaml.Yaml;
import lvms.lvm2.device.DeviceMapper;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * Agents are killed while they take a snapshot of a thick volume, let its store grow, restore and
 * clone: the next goes on, and the content is right. Runs inside a lab node; argument of the JVM:
 * {@code lvms.crds}.
 */
class ThickKillGuest {
    private static final long MIB = 1L << 20;
    private static final int MOST_KILLS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static ApiServer server;
    private static KubeClient kube;

    @BeforeAll
    static void start() throws Exception {
        sh("vgcreate -q -y csi /dev/ubdb /dev/ubdc");
        server = ApiServer.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        var crd = Yaml.read(Files.readString(Path.of(System.getProperty("lvms.crds"))));
        kube.create(Types.CRD, KubeObject.of(crd.asObject()));
        await("the CRD is served", () -> kube.serves(LogicalVolume.TYPE));
    }

    @AfterAll
    static void stop() throws Exception {
        kube.close();
        server.close();
        sh("vgremove -q -y -f csi");
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            assertTrue(System.nanoTime() < end, "never: " + what);
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static void create(
            String name, String size, String source, String access, Map<String, String> more)
            throws Exception {
        var spec =
                new LogicalVolume.Spec(
                        name, AgentProcess.NODE, Quantity.parse(size), "thick", "", source, access);
        kube.create(LogicalVolume.TYPE, LogicalVolume.create(Driver.TOPOLVM, spec, more));
    }

    private static LogicalVolume get(String name) throws Exception {
        return LogicalVolume.of(kube.get(LogicalVolume.TYPE, ObjectKey.cluster(name)));
    }

    private static boolean areMade(String... names) throws Exception {
        for (var name : names) {
            if (get(name).status().currentSize().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Writes a word again and again, not by way of memory. */
    private static void fill(String name, String word, int mib) throws Exception {
        sh(
                "yes %s | dd of=/dev/csi/%s bs=1M count=%d iflag=fullblock oflag=direct 2>&1"
                        .formatted(word, get(name).uid(), mib));
    }

    private static void requireFilled(String name, String word, int mib) throws Exception {
        var sums =
                "yes %s | head -c %dM | md5sum; head -c %dM /dev/csi/%s | md5sum"
                        .formatted(word, mib, mib, get(name).uid());
        assertEquals(1, sh(sums).lines().distinct().count(), name + " is not all " + word);
    }

    private static long storeMib() throws Exception {
        var size = "lvs --noheadings --nosuffix --units m -o lv_size csi/" + get("snap").uid();
        return (long) Double.parseDouble(sh(size).strip());
    }

    private static int killUntil(Random random, String what, Callable<Boolean> done)
            throws Exception {
        int kills = AgentProcess.killUntil(server, random, MOST_KILLS, done);
        System.out.println(what + ": kills=" + kills);
        return kills;
    }

    @Test
    void whatWasBegunEndsAsItShould() throws Exception {
        var random = new Random(7);
        create("data", "96Mi", "", "", Map.of());
        killUntil(random, "volume", () -> areMade("data"));
        fill("data", "first", 96);
        var room = Map.of(Driver.TOPOLVM.snapshotStoreAnnotation(), Long.toString(16 * MIB));
        create("snap", "96Mi", "data", "ro", room);
        killUntil(random, "snapshot", () -> areMade("snap"));
        for (int written = 14; written <= 26; written += 6) { // each time nearly all there is
            long before = storeMib();
            fill("data", "later", written);
            killUntil(random, "store of " + before, () -> storeMib() > before);
        }
        create("restored", "128Mi", "snap", "rw", Map.of());
        create("cloned", "96Mi", "data", "rw", Map.of());
        int kills = killUntil(random, "copies", () -> areMade("restored", "cloned"));
        assertTrue(kills > 1, "it was not killed while it copied");
        assertEquals(List.of(), DeviceMapper.system().suspended());
        requireFilled("snap", "first", 96);
        requireFilled("restored", "first", 96);
        requireFilled("data", "later", 26);
        requireFilled("cloned", "later", 26);
        for (var name : List.of("cloned", "restored", "snap", "data")) {
            kube.delete(LogicalVolume.TYPE, ObjectKey.cluster(name), DeleteOptions.any());
        }
        killUntil(
                random,
                "deletion",
                () -> kube.find(LogicalVolume.TYPE, ObjectKey.cluster("data")).isEmpty());
        assertEquals("", sh("lvs --noheadings -o lv_name csi"));
    }
}
