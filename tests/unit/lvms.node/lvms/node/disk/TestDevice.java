package lvms.node.disk;

import lvms.lvm2.device.DeviceIdentity;
import lvms.lvm2.device.DeviceIdentity.Mark;
import lvms.lvm2.system.DeviceNumber;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Devices for tests: a blank disk, and variations of it. */
public record TestDevice(NodeDevice device) {
    public static final long GIB = 1L << 30;

    public static TestDevice disk(String name) {
        return of(name, "disk");
    }

    public static TestDevice of(String name, String type) {
        return new TestDevice(
                new NodeDevice(
                        "/dev/" + name,
                        "/dev/" + name,
                        type,
                        10 * GIB,
                        0,
                        false,
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        Hardware.UNKNOWN,
                        Optional.empty()));
    }

    public TestDevice sized(long bytes) {
        var d = device;
        return copy(
                d.name(), bytes, d.readOnly(), d.suspended(), d.partitionLabel(), d.signature());
    }

    public TestDevice named(String name) {
        var d = device;
        return copy(
                name,
                d.sizeBytes(),
                d.readOnly(),
                d.suspended(),
                d.partitionLabel(),
                d.signature());
    }

    public TestDevice readOnly() {
        var d = device;
        return copy(
                d.name(), d.sizeBytes(), true, d.suspended(), d.partitionLabel(), d.signature());
    }

    public TestDevice suspended() {
        var d = device;
        return copy(d.name(), d.sizeBytes(), d.readOnly(), true, d.partitionLabel(), d.signature());
    }

    public TestDevice labelled(String label) {
        var d = device;
        return copy(
                d.name(),
                d.sizeBytes(),
                d.readOnly(),
                d.suspended(),
                Optional.of(label),
                d.signature());
    }

    public TestDevice with(String signature) {
        var d = device;
        return copy(
                d.name(),
                d.sizeBytes(),
                d.readOnly(),
                d.suspended(),
                d.partitionLabel(),
                Optional.of(signature));
    }

    public TestDevice over(String... children) {
        return new TestDevice(device.withChildren(List.of(children)));
    }

    public TestDevice table(String type) {
        return rest(Optional.of(type), device.backingFile(), device.uses(), device.probeFailure());
    }

    public TestDevice backedBy(String file) {
        return rest(
                device.partitionTable(), Optional.of(file), device.uses(), device.probeFailure());
    }

    public TestDevice used(String... uses) {
        return rest(
                device.partitionTable(),
                device.backingFile(),
                List.of(uses),
                device.probeFailure());
    }

    public TestDevice unreadable(String why) {
        return rest(device.partitionTable(), device.backingFile(), device.uses(), Optional.of(why));
    }

    /** A disk that says who it is. */
    public TestDevice identified(String wwn) {
        return identified(Map.of(Mark.WWN, wwn));
    }

    public TestDevice identified(Map<Mark, String> marks) {
        return with(
                new Hardware(
                        List.of("/dev/disk/by-id/" + device.name().substring("/dev/".length())),
                        true,
                        "MODEL",
                        "S1",
                        "ACME",
                        marks.getOrDefault(Mark.WWN, ""),
                        "",
                        new DeviceNumber(8, 16),
                        new DeviceIdentity(marks)));
    }

    /** A disk that says nothing of itself, in a slot. */
    public TestDevice pluggedInto(String place) {
        var h = Hardware.UNKNOWN;
        return with(
                new Hardware(
                        List.of("/dev/disk/by-path/" + place),
                        h.rotational(),
                        h.model(),
                        h.serial(),
                        h.vendor(),
                        h.wwn(),
                        h.parent(),
                        h.number(),
                        h.identity()));
    }

    /** A part of a disk. */
    public TestDevice on(String parent) {
        var h = Hardware.UNKNOWN;
        return with(
                new Hardware(
                        h.links(),
                        h.rotational(),
                        h.model(),
                        h.serial(),
                        h.vendor(),
                        h.wwn(),
                        parent,
                        h.number(),
                        h.identity()));
    }

    private TestDevice with(Hardware hardware) {
        var d = device;
        return new TestDevice(
                new NodeDevice(
                        d.name(),
                        d.kernelName(),
                        d.type(),
                        d.sizeBytes(),
                        d.sequence(),
                        d.readOnly(),
                        d.suspended(),
                        d.partitionLabel(),
                        d.signature(),
                        d.partitionTable(),
                        d.backingFile(),
                        d.children(),
                        d.uses(),
                        hardware,
                        d.probeFailure()));
    }

    private TestDevice copy(
            String name,
            long sizeBytes,
            boolean readOnly,
            boolean suspended,
            Optional<String> label,
            Optional<String> signature) {
        var d = device;
        return new TestDevice(
                new NodeDevice(
                        name,
                        d.kernelName(),
                        d.type(),
                        sizeBytes,
                        device.sequence(),
                        readOnly,
                        suspended,
                        label,
                        signature,
                        d.partitionTable(),
                        d.backingFile(),
                        d.children(),
                        d.uses(),
                        d.hardware(),
                        d.probeFailure()));
    }

    private TestDevice rest(
            Optional<String> table,
            Optional<String> file,
            List<String> uses,
            Optional<String> failure) {
        var d = device;
        return new TestDevice(
                new NodeDevice(
                        d.name(),
                        d.kernelName(),
                        d.type(),
                        d.sizeBytes(),
                        d.sequence(),
                        d.readOnly(),
                        d.suspended(),
                        d.partitionLabel(),
                        d.signature(),
                        table,
                        file,
                        d.children(),
                        uses,
                        d.hardware(),
                        failure));
    }
}
