package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.disk.DeviceSelection;
import lvms.node.deviceclass.VolumeGroupGoal;
import lvms.node.disk.DeviceVerdict;
import lvms.node.disk.DeviceVerdict.Kind;
import lvms.node.disk.KnownPv;
import lvms.node.disk.TestDevice;
import lvms.node.disk.TestLvm;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

/** A group that people made is ours only if they say so, and only if all of it is meant. */
class AdoptionPlanTests {
    private static final VolumeGroupGoal ADOPTING = Situations.listed("{\"adopt\": true}");
    private static final KnownPv SDB = TestLvm.on("/dev/sdb", "vg1");
    private static final KnownPv SDC = TestLvm.on("/dev/sdc", "vg1");
    private static final DeviceSelection NAMES_SDB =
            new DeviceSelection(List.of(), List.of(Situations.path("/dev/sdb")));

    private static Decision next(
            VolumeGroupGoal goal, DeviceSelection selection, KnownPv... members) {
        var pvs = List.of(members);
        var theirs = TestLvm.group("vg1", Set.of("theirs"), TestLvm.pvsOf(pvs));
        return new VolumeGroupPlan(Situations.of(goal, selection, List.of(), List.of(theirs), pvs))
                .next();
    }

    private static Decision adopted(String... tags) {
        return new Decision.Act(new Step.AdoptGroup(Set.of(tags)));
    }

    private static String refusal(Decision decision) {
        var blocked = assertInstanceOf(Decision.Blocked.class, decision);
        assertEquals(EventReason.GROUP_FAILED, blocked.reason());
        return blocked.message();
    }

    @Test
    void takesTheGroupOfTheNamedDevicesOver() {
        assertEquals(adopted("lvms"), next(ADOPTING, NAMES_SDB, SDB));
    }

    @Test
    void aClassThatTakesEveryDiskMeansAllOfThem() {
        assertEquals(adopted("lvms"), next(ADOPTING, DeviceSelection.EVERYTHING, SDB, SDC));
    }

    /** Somebody left room behind it, and may use that. */
    @Safety(53)
    @Test
    void remembersThatAPhysicalVolumeDoesNotTakeAllOfItsDisk() {
        var pv = TestLvm.on("/dev/sdb", "vg1", 0);
        var disk = TestDevice.disk("sdb").sized(20 * TestLvm.GIB).device();
        var s =
                Situations.of(
                        ADOPTING,
                        NAMES_SDB,
                        List.of(new DeviceVerdict(disk, Kind.MEMBER, List.of())),
                        List.of(TestLvm.group("vg1", Set.of(), TestLvm.pvsOf(List.of(pv)))),
                        List.of(pv));
        assertEquals(adopted("lvms", "lvms-kept-sizes"), new VolumeGroupPlan(s).next());
    }

    @Test
    void refusesAGroupThatIsAlsoElsewhere() {
        var message = refusal(next(ADOPTING, NAMES_SDB, SDB, SDC));
        assertTrue(message.endsWith("not among the devices of the class: /dev/sdc"), message);
    }

    @Test
    void refusesAGroupWithAMissingDevice() {
        var lost = TestLvm.missing("vg1");
        var message = refusal(next(ADOPTING, DeviceSelection.EVERYTHING, SDB, lost));
        assertTrue(message.endsWith(": " + lost.pv().uuid()), message);
    }

    @Test
    void leavesItAloneIfNobodyAskedForIt() {
        var message = refusal(next(Situations.THICK, NAMES_SDB, SDB));
        assertTrue(message.contains("it is not ours and is left alone"), message);
        assertTrue(message.contains("\"vgchange --addtag lvms vg1\""), message);
    }

    /** Two groups of one name: nobody knows which is meant. */
    @Test
    void refusesWhatIsNotOneGroup() {
        var one = TestLvm.group("vg1", Set.of(), TestLvm.pvsOf(List.of(SDB)));
        var other = TestLvm.group("vg1", Set.of(), TestLvm.pvsOf(List.of(SDC)));
        var s =
                Situations.of(
                        ADOPTING,
                        DeviceSelection.EVERYTHING,
                        List.of(),
                        List.of(one, other),
                        List.of(SDB, SDC));
        var message = refusal(new VolumeGroupPlan(s).next());
        assertTrue(message.startsWith("2 volume groups have the name"), message);
    }
}
