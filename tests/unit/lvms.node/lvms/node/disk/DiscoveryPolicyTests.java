package lvms.node.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.EffectiveDiscovery;
import lvms.node.vgmanager.plan.Situations;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** A static volume group takes what there is when it is made, and nothing later. */
class DiscoveryPolicyTests {
    private static final List<DeviceVerdict> ONE = List.of(Situations.available("sdb"));

    @ParameterizedTest
    @CsvSource({
        "PRECONFIGURED, false, false",
        "PRECONFIGURED, true, false",
        "RUNTIME_DYNAMIC, false, true",
        "RUNTIME_DYNAMIC, true, true",
        "RUNTIME_STATIC, false, true",
        "RUNTIME_STATIC, true, false"
    })
    void decidesOnNewDevices(EffectiveDiscovery policy, boolean exists, boolean takes) {
        assertEquals(takes, policy.takesNewDevices(exists));
    }

    @Test
    void keepsLateDevicesOutAndSaysWhy() {
        var late = DiscoveryPolicy.apply(EffectiveDiscovery.RUNTIME_STATIC, true, ONE).getFirst();
        assertTrue(late.excluded());
        assertTrue(
                late.reasons().getFirst().contains("static device discovery enabled"),
                late.reasons().toString());
    }

    @Test
    void letsDevicesOfOtherPoliciesBe() {
        assertEquals(ONE, DiscoveryPolicy.apply(EffectiveDiscovery.RUNTIME_STATIC, false, ONE));
        assertEquals(ONE, DiscoveryPolicy.apply(EffectiveDiscovery.RUNTIME_DYNAMIC, true, ONE));
        assertEquals(ONE, DiscoveryPolicy.apply(EffectiveDiscovery.PRECONFIGURED, true, ONE));
    }
}
