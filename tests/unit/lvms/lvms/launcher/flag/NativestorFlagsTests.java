package lvms.launcher.flag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.node.NativestorSettings;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** An agent does nothing for users of NativeStor unless it is told to. */
class NativestorFlagsTests {
    private static NativestorSettings read(Map<String, String> variables, String... arguments)
            throws UsageException {
        return NativestorFlags.read(
                Flags.parse(NativestorFlags.ALL, List.of(arguments)), new Environment(variables));
    }

    private static boolean excludes(NativestorSettings settings, String device) {
        return settings.excluded().stream().anyMatch(p -> p.matcher(device).find());
    }

    @Test
    void nothingIsOnByItself() throws Exception {
        var settings = read(Map.of());
        assertFalse(settings.inventory());
        assertFalse(settings.rawDevices());
        assertFalse(settings.loops());
    }

    @Test
    void theUsualExclusionsAreNativestors() throws Exception {
        var settings = read(Map.of(), "--discover-devices", "--discover-loops");
        assertTrue(settings.inventory());
        assertTrue(settings.loops());
        for (var device : List.of("dm-3", "DM-3", "rbd0", "nbd12")) {
            assertTrue(excludes(settings, device), device);
        }
        assertFalse(excludes(settings, "sda"));
    }

    @Test
    void aListOfOnesOwnTakesTheirPlace() throws Exception {
        var settings = read(Map.of("DISCOVER_DAEMON_UDEV_BLACKLIST", "^sr, (?i)ZD[0-9]+"));
        assertTrue(excludes(settings, "sr0"));
        assertTrue(excludes(settings, "zd16"));
        assertFalse(excludes(settings, "dm-3"));
        assertEquals(List.of(), read(Map.of("DISCOVER_DAEMON_UDEV_BLACKLIST", "")).excluded());
    }

    @Test
    void whatIsNoExpressionIsNamed() {
        var failure =
                assertThrows(
                        UsageException.class,
                        () -> read(Map.of("DISCOVER_DAEMON_UDEV_BLACKLIST", "sd,[")));
        assertTrue(failure.getMessage().contains("\"[\" is not a regular expression"));
    }
}
