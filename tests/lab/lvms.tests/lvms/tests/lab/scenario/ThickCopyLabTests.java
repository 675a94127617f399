package lvms.tests.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.lab.cluster.ClusterOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** The content of a thick volume is copied, whatever ends in the middle. */
@Lasts(seconds = 120)
@FullOnly("cuts of a copy are in CutLabTests, the copy itself in ThickSnapshotLabTests")
class ThickCopyLabTests {
    private static final String NODE = "node1";
    private static final Pattern NOTED = Pattern.compile("lvms\\.filled=(\\d+):");
    private static final String SLOW =
            """
            - name: vg1
              default: true
              fstype: ext4
              erasureConfig:
                rate: 16Mi
            """;

    private static final String SNAPSHOT =
            """
            apiVersion: snapshot.storage.k8s.io/v1
            kind: VolumeSnapshot
            metadata:
              name: before
              namespace: default
            spec:
              volumeSnapshotClassName: lvms-vg1
              source:
                persistentVolumeClaimName: data
            """;

    private static final String RESTORED =
            """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata:
              name: restored
              namespace: default
            spec:
              storageClassName: lvms-vg1
              accessModes: [ReadWriteOnce]
              resources:
                requests:
                  storage: 640Mi
              dataSource:
                apiGroup: snapshot.storage.k8s.io
                kind: VolumeSnapshot
                name: before
            """;

    @Test
    void aRestoreGoesOnAfterAPowerCut() throws Exception {
        var options = ClusterOptions.twoNodes(Path.of("out/lab/ThickCopyLabTests")).nodes(1);
        try (var scenario = Scenario.start(SLOW, options)) {
            scenario.claim("data", "640Mi");
            scenario.pod("data");
            scenario.awaitReady("data");
            var sum = write(scenario);
            scenario.apply(SNAPSHOT);
            scenario.await("the snapshot is ready", () -> ready(scenario));
            write(scenario);
            scenario.apply(RESTORED);
            scenario.pod("restored");
            scenario.await("a part of it is noted", () -> notedMib(scenario) > 0);
            scenario.cluster().powerCut(NODE);
            scenario.cluster().bootAgain(NODE);
            awaitCopied(scenario);
            scenario.awaitReady("restored");
            assertEquals(sum, scenario.inPod("restored", "sha256sum /data/file"));
            remove(scenario);
            assertEquals(List.of(), scenario.cluster().violations());
        }
    }

    private static String write(Scenario scenario) throws Exception {
        return scenario.inPod(
                "data", "head -c 201326592 /dev/urandom >/data/file; sync; sha256sum /data/file");
    }

    private static boolean ready(Scenario scenario) throws Exception {
        return scenario.find(Types.VOLUME_SNAPSHOT, "before")
                .flatMap(snapshot -> snapshot.flag("status", "readyToUse"))
                .orElse(false);
    }

    /** Returns how much of the copy certainly outlives a cut, as LVM's metadata says. */
    private static int notedMib(Scenario scenario) throws Exception {
        var tags = scenario.cluster().node(NODE).shell("lvs --noheadings --options lv_tags vg1");
        var noted = NOTED.matcher(tags);
        return noted.find() ? Integer.parseInt(noted.group(1)) : 0;
    }

    /** It does not begin anew: what was noted only becomes more, until the note is gone. */
    private static void awaitCopied(Scenario scenario) throws Exception {
        var before = new AtomicInteger(notedMib(scenario));
        assertTrue(before.get() > 0, "the note outlives the power");
        scenario.await(
                "the copy is complete",
                () -> {
                    int now = notedMib(scenario);
                    assertTrue(now == 0 || now >= before.get(), before + " and then " + now);
                    before.set(now);
                    return now == 0;
                });
    }

    /** The volume of the claim that goes first stays until the snapshot is gone, too. */
    private static void remove(Scenario scenario) throws Exception {
        var snapshot = ObjectKey.of("default", "before");
        scenario.kube().delete(Types.VOLUME_SNAPSHOT, snapshot, DeleteOptions.any());
        scenario.removeAll();
    }
}
