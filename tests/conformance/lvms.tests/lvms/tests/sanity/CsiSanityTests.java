package lvms.tests.sanity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.tests.cluster.Programs;
import lvms.tests.cluster.ginkgo.Case;
import lvms.tests.cluster.ginkgo.GinkgoReport;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Set;

/**
 * The driver passes every case of csi-sanity for what it declares, on both sockets and with real
 * LVM, and what the suite made is gone afterwards.
 */
@Lasts(seconds = 200)
@FullOnly("minutes; the integration tests of both sockets have the rules of CSI")
class CsiSanityTests {
    private static Site site;

    @BeforeAll
    static void start() throws Exception {
        site = Site.open(Programs.find().csiSanity());
    }

    @AfterAll
    static void end() throws Exception {
        if (site != null) { // else the failure to open it is what counts
            site.close();
        }
    }

    /** What is declared is tested below, so it must not shrink unnoticed. */
    @Test
    void declaresMoreThanTopoLvm() {
        assertEquals(
                Set.of(
                        "controller CREATE_DELETE_VOLUME",
                        "controller CLONE_VOLUME",
                        "controller EXPAND_VOLUME",
                        "controller GET_CAPACITY",
                        "controller CREATE_DELETE_SNAPSHOT",
                        "controller LIST_SNAPSHOTS",
                        "controller GET_SNAPSHOT",
                        "controller LIST_VOLUMES",
                        "controller GET_VOLUME",
                        "controller MODIFY_VOLUME",
                        "controller VOLUME_CONDITION",
                        "controller SINGLE_NODE_MULTI_WRITER",
                        "node GET_VOLUME_STATS",
                        "node EXPAND_VOLUME",
                        "node VOLUME_CONDITION",
                        "node SINGLE_NODE_MULTI_WRITER",
                        "group controller CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT",
                        "plugin CONTROLLER_SERVICE",
                        "plugin GROUP_CONTROLLER_SERVICE",
                        "plugin VOLUME_ACCESSIBILITY_CONSTRAINTS"),
                site.declared().capabilities());
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "thin, mount, ''",
        "thin, mount, xfs",
        "thin, block, ''",
        "thick, mount, ''",
        "thick, mount, xfs",
        "thick, block, ''",
    })
    void passesAllThatItDeclares(String deviceClass, String access, String filesystem)
            throws Exception {
        boolean again = deviceClass.equals("thick") != filesystem.equals("xfs");
        assumeTrue(
                access.equals("block") || !again || Boolean.getBoolean("lvms.full"),
                "only with --full: its class and its filesystem each have a run");
        var run = new Run(deviceClass, access, filesystem);
        var report = site.run(run);
        var skips = new Skips(site.declared());
        print(run, report, skips);
        assertEquals(List.of(), report.in(Case.State.FAILED));
        assertEquals(
                List.of(),
                report.cases().stream()
                        .filter(
                                c ->
                                        c.state() == Case.State.SKIPPED
                                                || c.state() == Case.State.PENDING)
                        .filter(c -> skips.reason(c).isEmpty())
                        .toList());
        assertTrue(report.in(Case.State.PASSED).size() >= 50, "the suite has become small");
        assertEquals(List.of(), site.leftBehind());
    }

    private static void print(Run run, GinkgoReport report, Skips skips) {
        System.out.printf("%ncsi-sanity %s:", run);
        for (var state : Case.State.values()) {
            System.out.printf(" %d %s", report.in(state).size(), state.name().toLowerCase());
        }
        System.out.println();
        report.cases().stream()
                .flatMap(c -> skips.reason(c).filter(_ -> c.state() != Case.State.PASSED).stream())
                .distinct()
                .sorted()
                .forEach(reason -> System.out.println("  skipped: " + reason));
    }
}
