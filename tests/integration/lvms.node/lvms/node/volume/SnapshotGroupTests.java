package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.snapshot.SnapshotGroup;
import lvms.k8s.object.Quantity;
import lvms.node.format.Formats;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

/**
 * Snapshots of a group wait for each other and fail together: real LVM on a loop device, which
 * takes none without a device-mapper, and an API server over HTTPS. That they are taken, and are of
 * one instant, is seen in the lab. A snapshot that is too small is refused.
 */
@Timeout(120)
class SnapshotGroupTests extends VolumeControllerCase {
    private static final SnapshotGroup GROUP = new SnapshotGroup("g1", 2);
    private static final int ROUNDS = 20;

    @BeforeEach
    void sources() throws Exception {
        for (var name : List.of("data", "log")) {
            create(name, "8Mi");
            made(name);
        }
    }

    private void ask(String name, String source, String group) throws Exception {
        ask(name, source, group, "8Mi");
    }

    private void askForTooSmallAOne(String name, String source, String group) throws Exception {
        ask(name, source, group, "4Mi");
    }

    private void ask(String name, String source, String group, String size) throws Exception {
        var spec =
                new LogicalVolume.Spec(
                        name,
                        Volumes.NODE,
                        Quantity.parse(size),
                        "thick",
                        "",
                        source,
                        LogicalVolume.READ_ONLY);
        var annotation = Driver.TOPOLVM.snapshotGroupAnnotation();
        kube.create(
                LogicalVolume.TYPE,
                Volumes.unclaimed(spec).with(group, "metadata", "annotations", annotation));
    }

    private void requireWaiting(String name) throws Exception {
        assertEquals(StatusCode.OK, get(name).status().code());
        assertTrue(get(name).status().volumeId().isEmpty());
    }

    @Test
    void theFirstWaitsForTheLastAndAllFailTogether() throws Exception {
        ask("s-data", "data", GROUP.text());
        askForTooSmallAOne("s-other", "data", new SnapshotGroup("g2", 1).text());
        failed("s-other", 11); // so the pass before it is over, or waits for its turn
        requireWaiting("s-data");
        askForTooSmallAOne("s-log", "log", GROUP.text());
        failed("s-log", 11);
        failed("s-data", 11);
        assertEquals(2, inLvm().size());
        for (var name : List.of("s-data", "s-log", "s-other")) {
            delete(name);
        }
    }

    @Test
    void oneWithoutASourceFailsTheOthers() throws Exception {
        ask("s-none", "none", GROUP.text());
        ask("s-data", "data", GROUP.text());
        failed("s-data", 5);
        failed("s-none", 5);
        assertTrue(get("s-data").status().message().contains("no source volume none"));
    }

    /**
     * Often enough that some are deleted before this node has seen that, or has seen them at all.
     */
    @Test
    void oneThatWaitsCanBeDeleted() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            var group = new SnapshotGroup("g1-" + i, 2).text();
            ask("s-data-" + i, "data", group);
            delete("s-data-" + i);
            ask("s-log-" + i, "log", group);
        }
        askForTooSmallAOne("s-other", "data", new SnapshotGroup("g2", 1).text());
        failed("s-other", 11);
        for (int i = 0; i < ROUNDS; i++) {
            requireWaiting("s-log-" + i);
        }
    }

    @Test
    @Safety(43)
    void aSnapshotWaitsForTheFilesystemOfItsSource() throws Exception {
        var source = get("data");
        try (var format = begun(source)) {
            create("s-data", "8Mi", "thick", "data", LogicalVolume.READ_ONLY);
            await("it is said", () -> !notes("SourceBeingFormatted", "s-data").isEmpty());
            assertEquals(
                    List.of(
                            "the filesystem of volume %s is being made; it is copied after that"
                                    .formatted(source.status().volumeId())),
                    notes("SourceBeingFormatted", "s-data"));
            requireWaiting("s-data");
            format.make(() -> {});
        }
    }

    /** Begins to make the filesystem of a volume, as the node service does. */
    private Formats.Format begun(LogicalVolume source) throws Exception {
        groups.formats().onEnd(controller::formatted);
        return groups.formats().begin(source.status().volumeId());
    }

    @Test
    @Safety(43)
    void soDoesEachOfAGroup() throws Exception {
        var source = get("log");
        try (var format = begun(source)) {
            ask("s-data", "data", GROUP.text());
            ask("s-log", "log", GROUP.text());
            for (var name : List.of("s-data", "s-log")) {
                await("it is said", () -> !notes("SourceBeingFormatted", name).isEmpty());
                requireWaiting(name);
            }
            groups.formats().begin(get("data").status().volumeId()).close();
            format.make(() -> {});
        }
    }

    @Test
    void aGroupThatCannotBeReadIsRefused() throws Exception {
        ask("s-data", "data", "several");
        failed("s-data", 3);
        assertEquals(
                "expected NAME/NUMBER as the group of a snapshot, found \"several\"",
                get("s-data").status().message());
    }
}
