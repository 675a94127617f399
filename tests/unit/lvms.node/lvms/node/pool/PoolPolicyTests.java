package lvms.node.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.ThinPoolConfig;
import lvms.k8s.tree.Json;
import lvms.lvm2.device.ThinPoolUsage;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/** Who may let a pool grow, and when somebody has to look at it. */
@Safety(19)
class PoolPolicyTests {
    private static ThinPoolConfig config(String more) {
        return ThinPoolConfig.of(
                Json.parse("{\"name\": \"pool\", \"overprovisionRatio\": 10" + more + "}")
                        .asObject());
    }

    @Test
    void onlyAPoolThatTheAgentMadeGrowsUnasked() {
        assertEquals(20, PoolPolicy.of(config(""), true, false).growthStepPercent());
        assertEquals(0, PoolPolicy.of(config(""), false, false).growthStepPercent());
        var asked = config(", \"growthStepPercent\": 5");
        assertEquals(5, PoolPolicy.of(asked, false, false).growthStepPercent());
        var off = config(", \"growthStepPercent\": 0");
        assertEquals(0, PoolPolicy.of(off, true, false).growthStepPercent());
        assertTrue(PoolPolicy.of(config(""), false, false).metadataGrows());
    }

    @Test
    void aPoolThatDmeventdExtendsIsLeftToIt() {
        var policy = PoolPolicy.of(config(", \"growthStepPercent\": 5"), true, true);
        assertEquals(0, policy.growthStepPercent());
        assertFalse(policy.metadataGrows());
        assertTrue(policy.stays().contains("dmeventd"), policy.stays());
    }

    @Test
    @Safety(20)
    void theThresholdOfLvmCountsIfItIsLower() {
        assertEquals(70, PoolPolicy.SERVED.within(70).thresholdPercent());
        assertEquals(70, PoolPolicy.of(config(""), true, false).within(70).thresholdPercent());
        assertEquals(80, PoolPolicy.of(config(""), true, false).within(100).thresholdPercent());
    }

    @Test
    void aPoolOfLvmdYamlIsNeverChanged() {
        assertEquals(0, PoolPolicy.SERVED.growthStepPercent());
        assertFalse(PoolPolicy.SERVED.metadataGrows());
    }

    private static PoolSign sign(int usedData, int usedMetadata, String mode) {
        return sign(usedData, usedMetadata, mode, false);
    }

    private static PoolSign sign(int usedData, int usedMetadata, String mode, boolean hostExtends) {
        var status = "1 %d/1000 %d/1000 - %s no_discard_passdown queue_if_no_space - 128";
        return PoolSign.of(
                Optional.of(config("")),
                hostExtends,
                ThinPoolUsage.parse(status.formatted(usedMetadata, usedData, mode)),
                100);
    }

    @Test
    void aFewMoreBlocksCallForNoDecision() {
        assertEquals(sign(100, 100, "rw"), sign(490, 490, "rw"));
        assertEquals(sign(810, 100, "rw"), sign(890, 100, "rw"));
    }

    @Test
    void whatMayMatterCallsForOne() {
        assertNotEquals(sign(790, 100, "rw"), sign(800, 100, "rw"));
        assertNotEquals(sign(890, 100, "rw"), sign(900, 100, "rw"));
        assertNotEquals(sign(850, 490, "rw", true), sign(850, 490, "rw", false));
        assertNotEquals(sign(100, 490, "rw"), sign(100, 500, "rw"));
        assertNotEquals(sign(999, 100, "rw"), sign(1000, 100, "out_of_data_space"));
    }
}
