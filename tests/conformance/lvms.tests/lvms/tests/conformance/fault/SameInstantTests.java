package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Times;
import lvms.k8s.object.Types;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Snapshots of several volumes are of one instant, as a user gets them who asks the cluster's
 * snapshot-controller for a VolumeGroupSnapshot. A pod writes a number to one volume and then to
 * another, each synced: wherever the second has a number, the first has it too.
 */
@Lasts(seconds = 270)
@FullOnly("SnapshotsAtOnce in the lab has the same commands under load")
class SameInstantTests extends FaultSuite {
    private static final ResourceType GROUP =
            new ResourceType(
                    "groupsnapshot.storage.k8s.io",
                    "v1",
                    "VolumeGroupSnapshot",
                    "volumegroupsnapshots",
                    true);

    private static final String SIZE = "320Mi";
    private static final String NODE = "node1";
    private static final Duration RESUMED = Duration.ofSeconds(60);
    private static final Duration KILLER_DEADLINE = Duration.ofSeconds(50);
    private static final Duration CONTAINER_KILLER_DEADLINE = Duration.ofMinutes(4);
    private static final long MOST_MILLIS_WITHOUT_IO = 5000;
    private static final Duration ENDED = Duration.ofSeconds(15);

    private static final String IN_ORDER =
            """
            n=0
            while :; do
                n=$((n + 1))
                for volume in first second; do
                    echo "$n $(date +%%s)" >>/$volume/log
                    sync /$volume/log
                done
                echo $n
                sleep %s
            done
            """;

    /** Kills the agent once a device waits, or in the middle of it all if that was too short. */
    private static final String KILLER =
            """
            end=$((SECONDS + 5))
            while [ $SECONDS -lt $end ]; do
                for file in $1; do
                    read -r state <"$file"
                    if [ "$state" = 1 ]; then end=0; break; fi
                done
            done
            shift
            kill -KILL "$@"
            """;

    /**
     * Kills the agent's whole container once a device waits, as the kernel does for want of memory
     * and a runtime to end it. Says how many devices waited then, and after how many milliseconds
     * none waited any more, something was written, and the watchdog had ended.
     */
    private static final String CONTAINER_KILLER =
            """
            agent=$1; watchdog=$2; shift 2
            cgroup=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/$agent/cgroup)
            end=$((SECONDS + 60)); state=0
            while [ "$state" = 0 ]; do
                [ $SECONDS -lt $end ] || exit 1
                for device in "$@"; do
                    read -r state <"$device/dm/suspended"
                    if [ "$state" = 1 ]; then break; fi
                done
            done
            dog=$(pgrep -f '[l]vms.lvm2.command.WatchdogMain') || exit 2
            if [ "$watchdog" = killed ]; then kill -KILL "$dog"; fi
            waiting=0
            for device in "$@"; do
                read -r state <"$device/dm/suspended"
                waiting=$((waiting + state))
            done
            echo 1 >"$cgroup/cgroup.kill"
            killed=${EPOCHREALTIME/./}
            touch /run/container-killed
            echo "waiting $waiting"
            after() { echo "$1 $(((${EPOCHREALTIME/./} - killed) / 1000))"; }
            while cat "${@/%//dm/suspended}" | grep -q 1; do sleep 0.1; done
            after resumed
            written() { awk '{ print $5 }' "$1/stat"; }
            before=$(written "$1")
            while [ "$(written "$1")" = "$before" ]; do sleep 0.1; done
            after written
            while [ -e "/proc/$dog" ]; do sleep 0.1; done
            after ended
            """;

    /**
     * What the volume of a pod holds.
     *
     * @param number the last number
     * @param written when it was written
     */
    private record Last(long number, Instant written) {}

    private ObjectKey groupClass;
    private String storageClass = Product.THIN_CLASS;

    @BeforeEach
    void allowGroups() throws Exception {
        groupClass = ObjectKey.cluster(box().namespace());
        var object =
                KubeObject.create(Types.VOLUME_GROUP_SNAPSHOT_CLASS, groupClass)
                        .with(Driver.TOPOLVM.name(), "driver")
                        .with("Delete", "deletionPolicy");
        product().kube().create(Types.VOLUME_GROUP_SNAPSHOT_CLASS, object);
    }

    @AfterEach
    void removeGroups() throws Exception {
        for (var group : product().all(GROUP)) {
            box().remove(GROUP, group.name());
        }
        product().kube().delete(Types.VOLUME_GROUP_SNAPSHOT_CLASS, groupClass, DeleteOptions.any());
    }

    private void claim(String name, String label) throws Exception {
        var claim = Claim.of(name, storageClass, SIZE).object(box().namespace());
        product().kube().create(Types.PVC, claim.with(label, "metadata", "labels", "group"));
    }

    private void group(String name, String label) throws Exception {
        box().create(
                        GROUP,
                        name,
                        """
                        spec:
                          volumeGroupSnapshotClassName: %s
                          source: {selector: {matchLabels: {group: %s}}}
                        """
                                .formatted(groupClass.name(), label));
    }

    private KubeObject awaitReady(String group) throws Exception {
        patiently(
                group + " is ready",
                () ->
                        box().find(GROUP, group)
                                .flatMap(g -> g.flag("status", "readyToUse"))
                                .orElse(false));
        return box().find(GROUP, group).orElseThrow();
    }

    /** Beside a pod without pauses, a node of one CPU does little else. */
    private void startWriting(String pause) throws Exception {
        claim("first", "pair");
        claim("second", "pair");
        box().create(
                        Pod.of("writer")
                                .mount("first", "first")
                                .mount("second", "second")
                                .on(NODE)
                                .running(IN_ORDER.formatted(pause)));
        box().awaitReady("writer");
        awaitMore();
    }

    private long told() throws Exception {
        var last =
                product().kubectl("logs", "--namespace=" + box().namespace(), "writer", "--tail=1");
        return last.isBlank() ? 0 : Long.parseLong(last.strip());
    }

    private long awaitMore() throws Exception {
        long before = told();
        box().patience().until("the pod writes beyond " + before, () -> told() > before);
        return told();
    }

    /** Makes a claim from the snapshot of another in a group; returns the new one's name. */
    private String restored(String group, String claim) throws Exception {
        var name = group + "-" + claim;
        var snapshot = members(group, claim).getFirst().name();
        box().create(Claim.of(name, storageClass, SIZE).ofSnapshot(snapshot));
        return name;
    }

    private List<KubeObject> members(String group, String claim) throws Exception {
        patiently(
                "the snapshot of " + claim + " in " + group + " is ready",
                () ->
                        product().all(Types.VOLUME_SNAPSHOT).stream()
                                .filter(s -> isOf(s, group, claim))
                                .anyMatch(s -> s.flag("status", "readyToUse").orElse(false)));
        return product().all(Types.VOLUME_SNAPSHOT).stream()
                .filter(s -> isOf(s, group, claim))
                .toList();
    }

    private static boolean isOf(KubeObject snapshot, String group, String claim) {
        return snapshot.text("status", "volumeGroupSnapshotName").orElse("").equals(group)
                && snapshot.text("spec", "source", "persistentVolumeClaimName")
                        .orElse("")
                        .equals(claim);
    }

    private Last last(String volume) throws Exception {
        var words = box().run("reader", "tail -n 1 /%s/log".formatted(volume)).strip().split(" ");
        return new Last(Long.parseLong(words[0]), Instant.ofEpochSecond(Long.parseLong(words[1])));
    }

    private void requireOneInstant(KubeObject group, long atLeast) throws Exception {
        var first = last(group.name() + "-first");
        var second = last(group.name() + "-second");
        var text = group.name() + ": " + first + " and " + second;
        assertTrue(first.number() >= second.number(), text);
        assertTrue(first.number() <= second.number() + 1, text);
        assertTrue(second.number() >= atLeast, text + ", but " + atLeast + " was synced before");
        var time = Times.parse(group.text("status", "creationTime").orElseThrow());
        assertFalse(time.isBefore(first.written()), text + ", said to be of " + time);
    }

    private List<LogicalVolume> snapshots() throws Exception {
        return product().all(LogicalVolume.TYPE).stream()
                .map(LogicalVolume::of)
                .filter(LogicalVolume::isSnapshot)
                .toList();
    }

    private void remove(String group) throws Exception {
        box().remove(GROUP, group);
        patiently(
                "nothing of " + group + " is left",
                () ->
                        product().all(Types.VOLUME_SNAPSHOT).isEmpty()
                                && product().all(Types.VOLUME_SNAPSHOT_CONTENT).isEmpty()
                                && product().all(Types.VOLUME_GROUP_SNAPSHOT_CONTENT).isEmpty()
                                && snapshots().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theSecondVolumeIsNeverAheadOfTheFirst(boolean thick) throws Exception {
        storageClass = thick ? Product.THICK_CLASS : Product.THIN_CLASS;
        startWriting("0.05");
        long synced = told();
        group("one", "pair");
        var one = awaitReady("one");
        group("two", "pair");
        var two = awaitReady("two");
        var reader = Pod.of("reader");
        for (var group : List.of("one", "two")) {
            for (var claim : List.of("first", "second")) {
                var name = restored(group, claim);
                reader = reader.mount(name, name);
            }
        }
        assertEquals(4, snapshots().size());
        box().create(reader);
        box().awaitReady("reader");
        requireOneInstant(one, synced);
        requireOneInstant(two, last("one-second").number());
        awaitMore();
        requireAgreement();
        box().remove(GROUP, "one");
        remove("two");
    }

    @Test
    void volumesOfTwoNodesAreRefusedAndNothingIsTaken() throws Exception {
        for (var node : List.of("node1", "node2")) {
            claim("on-" + node, "apart");
            box().create(Pod.with("on-" + node, "on-" + node).on(node));
        }
        for (var node : List.of("node1", "node2")) {
            box().awaitReady("on-" + node);
        }
        group("apart", "apart");
        patiently("the group has an error", () -> !error("apart").isEmpty());
        var error = error("apart");
        assertTrue(error.contains("snapshots of one instant need volumes of one node"), error);
        assertTrue(error.contains("node1") && error.contains("node2"), error);
        assertEquals(1, error.lines().count(), error);
        assertEquals(List.of(), snapshots());
        remove("apart");
    }

    private String error(String group) throws Exception {
        return box().find(GROUP, group)
                .flatMap(g -> g.text("status", "error", "message"))
                .orElse("");
    }

    /** The pod's I/O waits for the next agent, which takes all or none. */
    @Test
    void anAgentThatIsKilledWhileItTakesAGroupLeavesNothingSuspended() throws Exception {
        startWriting("0.3");
        var node = product().cluster().node(NODE);
        long synced = awaitMore();
        var killer = node.start(killer(node), KILLER_DEADLINE);
        group("killed", "pair");
        killer.get().require("the killer");
        product()
                .patience(RESUMED, box().namespace())
                .untilNothingMissing("no device waits", () -> suspended(node));
        awaitMore();
        var group = awaitReady("killed");
        assertEquals(0, box().restarts("writer"));
        requireCopies("killed", group, synced);
    }

    private List<String> killer(ClusterNode node) throws Exception {
        var files = new StringBuilder();
        for (var folder : devices(node)) {
            files.append(folder).append("/dm/suspended ");
        }
        return List.of("bash", "-c", KILLER, "killer", files.toString(), agent(node));
    }

    private List<String> devices(ClusterNode node) throws Exception {
        var folders = new ArrayList<String>();
        for (var claim : List.of("first", "second")) {
            folders.add(Hosts.sysfs(node, Hosts.device(box().logicalVolumeOf(claim))));
        }
        return folders;
    }

    private static String agent(ClusterNode node) throws IOException {
        var agent = Hosts.processes(node, Hosts.AGENT);
        assertEquals(1, agent.size(), "one agent");
        return agent.getFirst();
    }

    /**
     * Nobody is left inside who could resume the volumes but what outlives the agent's container.
     */
    @Test
    @Safety(47)
    void theVolumesOfAKilledContainerGoOnThoughNoAgentCanStart() throws Exception {
        var millis = killContainer("lives");
        assertTrue(millis.get("resumed") < MOST_MILLIS_WITHOUT_IO, millis.toString());
        assertTrue(millis.get("written") < MOST_MILLIS_WITHOUT_IO, millis.toString());
        assertTrue(millis.get("ended") < ENDED.toMillis(), millis.toString());
    }

    /** As on a machine on which the watchdog cannot leave the container. */
    @Test
    @Safety(47)
    void theNextAgentResumesBeforeItWaitsForTheServer() throws Exception {
        var millis = killContainer("killed");
        assertTrue(millis.get("resumed") < RESUMED.toMillis(), millis.toString());
    }

    /** The server hangs from right after the kill until something is written. */
    private Map<String, Long> killContainer(String watchdog) throws Exception {
        storageClass = Product.THICK_CLASS;
        startWriting("0.3");
        var node = product().cluster().node(NODE);
        long synced = awaitMore();
        var words = new ArrayList<>(List.of("bash", "-c", CONTAINER_KILLER, "killer"));
        words.addAll(List.of(agent(node), watchdog));
        words.addAll(devices(node));
        var killer = node.start(words, CONTAINER_KILLER_DEADLINE);
        group("killed", "pair");
        box().patience()
                .until(
                        "the container is killed",
                        () -> node.run("rm", "/run/container-killed").status() == 0);
        var control = product().cluster().controlPlane();
        control.freeze();
        var millis = new HashMap<String, Long>();
        try {
            var told = killer.get().require("the killer");
            System.out.println("watchdog " + watchdog + ": " + told.replace('\n', ' '));
            for (var line : told.lines().toList()) {
                millis.put(line.split(" ")[0], Long.valueOf(line.split(" ")[1]));
            }
        } finally {
            control.thaw();
        }
        product()
                .patience(RESUMED, box().namespace())
                .untilNothingMissing("no device waits", () -> suspended(node));
        awaitMore();
        var group = awaitReady("killed");
        assertEquals(0, box().restarts("writer"));
        requireCopies("killed", group, synced);
        assertTrue(millis.get("waiting") > 0, "it was killed too late");
        return millis;
    }

    private void requireCopies(String name, KubeObject group, long synced) throws Exception {
        var reader = Pod.of("reader");
        for (var claim : List.of("first", "second")) {
            var restored = restored(name, claim);
            reader = reader.mount(restored, restored);
        }
        box().create(reader);
        box().awaitReady("reader");
        requireOneInstant(group, synced);
        assertEquals(2, snapshots().size());
        requireAgreement();
        remove(name);
    }

    private static String suspended(ClusterNode node) throws IOException {
        return node.shell(
                "dmsetup info -c --noheadings -o name,suspended | grep Suspended || true");
    }
}
