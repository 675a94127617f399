package lvms.node.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.node.disk.TestDevice;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A change is shown soon, many in a row not each, and one of an excluded device late. */
class PaceTests {
    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
    private final Pace pace = new Pace(List.of(Pattern.compile("(?i)NBD[0-9]+")));

    private static List<ListedDevice> devices(String... names) {
        return Stream.of(names)
                .map(name -> new ListedDevice(TestDevice.disk(name).device(), List.of()))
                .toList();
    }

    private static Instant after(long seconds) {
        return START.plusSeconds(seconds);
    }

    @Test
    void theFirstListIsShownAtOnce() {
        assertEquals(devices("sda"), pace.show(devices("sda"), START));
        assertEquals(Duration.ofSeconds(60), pace.next(devices("sda"), START));
    }

    @Test
    void ofManyChangesTheLastIsShownAfterFiveSeconds() {
        pace.show(devices("sda"), START);
        assertEquals(devices("sda"), pace.show(devices("sda", "sdb"), after(1)));
        assertEquals(Duration.ofSeconds(4), pace.next(devices("sda", "sdb"), after(1)));
        assertEquals(devices("sda"), pace.show(devices("sda", "sdb", "sdc"), after(2)));
        assertEquals(
                devices("sda", "sdb", "sdc"), pace.show(devices("sda", "sdb", "sdc"), after(5)));
    }

    @Test
    void aLateChangeIsShownAtOnce() {
        pace.show(devices("sda"), START);
        assertEquals(devices("sdb"), pace.show(devices("sdb"), after(6)));
    }

    @Test
    void anExcludedDeviceWaitsForAMinuteOrForAnother() {
        pace.show(devices("sda"), START);
        assertEquals(devices("sda"), pace.show(devices("sda", "nbd0"), after(59)));
        assertEquals(Duration.ofSeconds(1), pace.next(devices("sda", "nbd0"), after(59)));
        assertEquals(devices("sda", "nbd0"), pace.show(devices("sda", "nbd0"), after(60)));
        assertEquals(devices("nbd1", "sdb"), pace.show(devices("nbd1", "sdb"), after(65)));
    }

    @Test
    void aClockThatWasPutBackHoldsNothingUp() {
        pace.show(devices("sda"), START);
        assertEquals(devices("sdb"), pace.show(devices("sdb"), after(-3600)));
    }
}
