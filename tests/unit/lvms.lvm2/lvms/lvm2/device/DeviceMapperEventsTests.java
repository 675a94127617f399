package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.device.DeviceMapperEvents.Event;
import lvms.lvm2.device.DeviceMapperEvents.Kind;
import lvms.lvm2.ffi.DmControl;
import lvms.lvm2.system.DeviceNumber;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Two looks at the device-mapper's list say what happened in between. */
@LinuxOnly
class DeviceMapperEventsTests {
    private static DmControl.Entry entry(String name, int minor, int eventNumber) {
        return new DmControl.Entry(name, new DeviceNumber(253, minor), eventNumber);
    }

    private static Event event(Kind kind, String name, int minor, int eventNumber) {
        return new Event(kind, name, new DeviceNumber(253, minor), eventNumber);
    }

    private static List<Event> changes(List<DmControl.Entry> before, List<DmControl.Entry> now) {
        return DeviceMapperEvents.changes(byName(before), byName(now));
    }

    private static Map<String, DmControl.Entry> byName(List<DmControl.Entry> entries) {
        var map = new TreeMap<String, DmControl.Entry>();
        entries.forEach(e -> map.put(e.name(), e));
        return map;
    }

    @Test
    void nothingHappened() {
        assertEquals(List.of(), changes(List.of(entry("a", 0, 3)), List.of(entry("a", 0, 3))));
    }

    @Test
    void aDeviceHadAnEvent() {
        assertEquals(
                List.of(event(Kind.EVENT, "a", 0, 4)),
                changes(
                        List.of(entry("a", 0, 3), entry("b", 1, 0)),
                        List.of(entry("a", 0, 4), entry("b", 1, 0))));
    }

    @Test
    void devicesComeAndGo() {
        assertEquals(
                List.of(event(Kind.VANISHED, "a", 0, 3), event(Kind.APPEARED, "b", 0, 0)),
                changes(List.of(entry("a", 0, 3)), List.of(entry("b", 0, 0))));
    }

    @Test
    void aNameThatAnotherDeviceHasNowIsBoth() {
        assertEquals(
                List.of(event(Kind.VANISHED, "a", 0, 3), event(Kind.APPEARED, "a", 7, 3)),
                changes(List.of(entry("a", 0, 3)), List.of(entry("a", 7, 3))));
    }

    @Test
    void itWaitsWhereThereIsNoDeviceMapperAndEndsAtOnce() throws Exception {
        assumeTrue(!DeviceMapper.system().available(), "the lab tests it with a device-mapper");
        var heard = new ConcurrentLinkedQueue<Event>();
        assertTimeoutPreemptively(
                Duration.ofSeconds(2), () -> DeviceMapperEvents.start(heard::add).close());
        assertEquals(List.of(), List.copyOf(heard));
    }
}
