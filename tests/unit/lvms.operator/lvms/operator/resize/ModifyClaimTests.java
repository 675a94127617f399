package lvms.operator.resize;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.operator.resize.ModifyClaim.Step;

import org.junit.jupiter.api.Test;

/** What a claim's VolumeAttributesClass asks for, as KEP-3751 lays down its fields. */
class ModifyClaimTests {
    private static Step step(String wish, String current, String progress, String target) {
        var text =
                "{'metadata':{'name':'c'},'spec':{'volumeAttributesClassName':'%s'},"
                        + "'status':{'phase':'Bound','currentVolumeAttributesClassName':'%s',"
                        + "'modifyVolumeStatus':{'status':'%s',"
                        + "'targetVolumeAttributesClassName':'%s'}}}";
        var json = text.formatted(wish, current, progress, target).replace('\'', '"');
        return new ModifyClaim(KubeObject.of(Json.parse(json).asObject())).step();
    }

    @Test
    void aNewWishIsBegunAndABegunOneGoesOn() {
        assertEquals(new Step.Modify("gold", false), step("gold", "", "", ""));
        assertEquals(new Step.Modify("gold", false), step("gold", "silver", "Pending", "gold"));
        assertEquals(new Step.Modify("gold", true), step("gold", "silver", "InProgress", "gold"));
    }

    @Test
    void aChangedWishTakesTheOldOnesPlace() {
        assertEquals(new Step.Modify("gold", false), step("gold", "", "InProgress", "silver"));
    }

    @Test
    void theWayBackIsAChangeToo() {
        assertEquals(new Step.Modify("gold", false), step("gold", "gold", "Infeasible", "silver"));
        assertEquals(new Step.Modify("gold", false), step("gold", "gold", "InProgress", "silver"));
        assertEquals(new Step.Converged(), step("gold", "gold", "", ""));
    }

    @Test
    void aWishThatIsTakenBackIsSettled() {
        assertEquals(new Step.Cancel(), step("", "", "Infeasible", "gold"));
        assertEquals(new Step.Cancel(), step("", "", "Pending", "gold"));
        assertEquals(new Step.Modify("gold", true), step("", "", "InProgress", "gold"));
        assertEquals(new Step.Converged(), step("", "", "", ""));
    }
}
