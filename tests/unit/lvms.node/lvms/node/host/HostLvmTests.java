package lvms.node.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvmOptions;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** One LVM is in force on a node: the host's, and the image's only where the host has none. */
@LinuxOnly
class HostLvmTests {
    private static final Path OWN = Path.of("/run/lvms/lvm");

    private static HostLvm seen(boolean container, boolean hasLvm, boolean runsUdev) {
        return new HostLvm(container, hasLvm, runsUdev, Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void outsideAContainerThereIsOneLvmAndNothingToChoose(boolean hasLvm) {
        var options = seen(false, hasLvm, true).choose(OWN).options();
        assertEquals(LvmOptions.defaults(), options);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theHostsLvmIsEnteredAndKeepsItsOwnConfiguration(boolean runsUdev) {
        var options = seen(true, true, runsUdev).choose(OWN).options();
        assertEquals(OptionalLong.of(1), options.hostPid());
        assertEquals(Optional.empty(), options.systemDir());
        assertEquals("nsenter", options.execCommand().getFirst());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHostWithoutLvmGetsTheImagesWithAConfigurationOfOurs(boolean runsUdev) {
        var options = seen(true, false, runsUdev).choose(OWN).options();
        assertEquals(OptionalLong.empty(), options.hostPid());
        assertEquals(Optional.of(OWN), options.systemDir());
        assertEquals(runsUdev, options.udev(), "waiting for a udevd that does not run hangs");
        assertTrue(options.activation(), "volumes have to become devices");
    }

    @Test
    void theReasonTellsTheChoicesApart() {
        var own = seen(true, false, false).choose(OWN).reason();
        var hosts = seen(true, true, false).choose(OWN).reason();
        assertNotEquals(own, hosts);
        assertFalse(hosts.isBlank());
    }

    @Test
    void aProcessThatMayNotLookAtTheHostSaysSo() {
        var blind = new HostLvm(false, true, true, Optional.of("/proc/1/ns/mnt: denied"));
        assertTrue(blind.choose(OWN).reason().contains("/proc/1/ns/mnt: denied"));
        assertEquals(LvmOptions.defaults(), blind.choose(OWN).options());
        assertTrue(blind.withUnseen("no lvm").matches("no lvm; process 1 .*/proc/1/ns/mnt.*"));
        assertEquals("no lvm", seen(false, true, true).withUnseen("no lvm"));
    }
}
