package lvms.node.doctor;

import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;
import lvms.api.finding.Finding;
import lvms.lvm2.EngineStatus;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvHealth;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Decides what a person should know about a machine. */
final class Findings {
    /** A person who looks once a day may be too late for a fuller pool. */
    private static final double NEARLY_FULL = 80;

    private static final double FULL = 95;

    /** What LVM takes as "every device". */
    private static final String NO_FILTER = "[\"a|.*|\"]";

    private final Machine machine;
    private final List<Finding> found = new ArrayList<>();

    private Findings(Machine machine) {
        this.machine = machine;
    }

    /** Returns the findings, worst first. */
    static List<Finding> of(Machine machine) {
        var findings = new Findings(machine);
        findings.devices();
        machine.groups().forEach(findings::group);
        findings.configuration();
        findings.deviceClasses();
        findings.found.sort(Comparator.comparing(Finding::severity));
        return findings.found;
    }

    private void devices() {
        if (!machine.deviceMapper()) {
            error("kernel", "there is no device-mapper, so no volume can be used", "load dm_mod");
        }
        machine.suspended()
                .forEach(
                        device ->
                                error(
                                        device,
                                        "the device is suspended, and its I/O hangs",
                                        "if no LVM command is running: lvchange --refresh of its"
                                                + " volume"));
        machine.physicalVolumes().stream()
                .filter(PhysicalVolume::duplicate)
                .forEach(
                        pv ->
                                error(
                                        pv.device(),
                                        "the same physical volume is on several devices",
                                        "let LVM see only one of them, by a filter or the devices"
                                                + " file"));
    }

    private void group(VolumeGroupReport report) {
        var group = report.group();
        report.physicalVolumes().stream()
                .filter(PhysicalVolume::missing)
                .forEach(
                        pv ->
                                error(
                                        group.name(),
                                        "physical volume " + pv.uuid() + " is missing",
                                        "bring its disk back, or repair what was on it and run"
                                                + " vgreduce --removemissing"));
        metadataArea(group);
        if (group.exported()) {
            note(group.name(), "the group is exported, so nothing in it can be used", "vgimport");
        }
        if (group.shared()) {
            warning(
                    group.name(),
                    "the group is shared with other hosts",
                    "leave it to the software that manages its locks");
        }
        report.logicalVolumes().forEach(this::volume);
    }

    /** An area holds the old and the new metadata, so only half of it can be used. */
    private void metadataArea(VolumeGroup group) {
        long room = group.metadataSizeBytes() / 2;
        if (room == 0) {
            return;
        }
        double percent = 100.0 * group.metadataUsedBytes() / room;
        full(
                OptionalDouble.of(percent),
                group.name(),
                "the group's metadata area",
                "it cannot grow: use fewer volumes, or move them to a group with a larger one");
    }

    private void volume(LogicalVolume volume) {
        var name = volume.name().toString();
        volume.attributes().health().filter(this::isNews).ifPresent(health -> health(name, health));
        if (volume.isThinPool()) {
            full(volume.dataPercent(), name, "the pool's data", "lvextend, or remove volumes");
            full(
                    volume.metadataPercent(),
                    name,
                    "the pool's metadata",
                    "lvextend --poolmetadatasize");
            requireThinCheck(name);
            if (!volume.attributes().zeroesNewBlocks()) {
                error(
                        name,
                        "new blocks are not zeroed, so volumes show what others wrote there",
                        "lvchange -Zy " + name);
            }
        }
    }

    /** Suspended devices are reported already, and without a device-mapper nothing has a state. */
    private boolean isNews(LvHealth health) {
        return switch (health) {
            case SUSPENDED -> false;
            case STATE_UNKNOWN, OPEN_UNKNOWN, HEALTH_UNKNOWN -> machine.deviceMapper();
            default -> true;
        };
    }

    private void requireThinCheck(String pool) {
        if (machine.tools().getOrDefault(Machine.THIN_CHECK, "").isEmpty()) {
            warning(
                    pool,
                    "thin_check is not installed, so the pool is not checked when it is activated",
                    "install thin-provisioning-tools (device-mapper-persistent-data)");
        }
    }

    private void health(String volume, LvHealth health) {
        switch (health) {
            case PARTIAL,
                    WRITECACHE_ERROR,
                    POOL_FAILED,
                    POOL_OUT_OF_DATA,
                    POOL_METADATA_READ_ONLY,
                    THIN_FAILED,
                    INVALID_SNAPSHOT,
                    MERGE_FAILED,
                    NO_TABLE,
                    INACTIVE_TABLE,
                    CHECK_NEEDED ->
                    error(volume, health.text(), cure(health));
            case RAID_REFRESH_NEEDED,
                    RAID_MISMATCHES,
                    RAID_RESHAPING,
                    RAID_RESHAPE_REMOVED,
                    HEALTH_UNKNOWN,
                    STATE_UNKNOWN,
                    OPEN_UNKNOWN,
                    SUSPENDED ->
                    warning(volume, health.text(), cure(health));
            case RAID_WRITE_MOSTLY, HISTORICAL -> note(volume, health.text(), cure(health));
        }
    }

    private static String cure(LvHealth health) {
        return switch (health) {
            case POOL_FAILED, POOL_METADATA_READ_ONLY, THIN_FAILED, CHECK_NEEDED ->
                    "deactivate the pool and run lvconvert --repair";
            case POOL_OUT_OF_DATA -> "lvextend, or remove volumes";
            case PARTIAL -> "bring the disk back, or lvconvert --repair if it is RAID";
            case RAID_REFRESH_NEEDED -> "lvchange --refresh";
            case RAID_MISMATCHES -> "lvchange --syncaction repair";
            case INVALID_SNAPSHOT -> "remove it: its store was full";
            case NO_TABLE, INACTIVE_TABLE -> "if no LVM command is running: lvchange --refresh";
            default -> "lvs and the kernel's log say more";
        };
    }

    private void full(OptionalDouble percent, String subject, String what, String cure) {
        double value = percent.orElse(0);
        var text = "%s is %.1f %% full".formatted(what, value);
        if (value >= FULL) {
            error(subject, text, cure);
        } else if (value >= NEARLY_FULL) {
            warning(subject, text, cure);
        }
    }

    private void configuration() {
        var settings = machine.settings();
        if (settings.getOrDefault(Machine.USE_AIO, "").equals("1")) {
            machine.engine()
                    .asynchronous()
                    .ifPresent(
                            why ->
                                    note(
                                            "lvm.conf",
                                            "use_aio=1 makes commands 30 to 40 ms slower than"
                                                    + " necessary: "
                                                    + why,
                                            "global { use_aio = 0 }"));
        }
        boolean filtered =
                settings.getOrDefault(Machine.USE_DEVICES_FILE, "0").equals("1")
                        || isFilter(Machine.FILTER)
                        || isFilter(Machine.GLOBAL_FILTER);
        if (!filtered) {
            note(
                    "lvm.conf",
                    "there is neither a filter nor a devices file, so LVM reads every device",
                    "devices { global_filter = ... }, or use_devicesfile = 1");
        }
        if (settings.getOrDefault(Machine.SCAN_LVS, "0").equals("1")) {
            warning(
                    "lvm.conf",
                    "scan_lvs=1 shows LVM the groups that pods make inside their volumes",
                    "devices { scan_lvs = 0 }");
        }
        if (machine.engine().kind() == EngineStatus.Kind.EXEC) {
            note("LVM", "LVM's library is not used: " + machine.engine().reason(), "");
        }
        machine.watchdogObstacle()
                .ifPresent(
                        why ->
                                warning(
                                        "watchdog",
                                        "if an agent is killed in a snapshot or growth, the volume"
                                                + " waits for the next agent, since the watchdog"
                                                + " would be killed with it: "
                                                + why,
                                        "let the agent's container leave its cgroup: hostPID, and"
                                                + " the host's /sys/fs/cgroup writable"));
    }

    private boolean isFilter(String key) {
        var filter = machine.settings().getOrDefault(key, NO_FILTER).replace(" ", "");
        return !filter.equals(NO_FILTER) && !filter.equals("[]");
    }

    private void deviceClasses() {
        machine.lvmd()
                .ifPresent(
                        reading -> {
                            reading.problems()
                                    .forEach(p -> warning("lvmd.yaml", p, "correct the file"));
                            reading.classes().classes().forEach(this::deviceClass);
                        });
    }

    private void deviceClass(NodeDeviceClass deviceClass) {
        var subject = "device class " + deviceClass.name();
        var report =
                machine.groups().stream()
                        .filter(g -> g.group().name().equals(deviceClass.volumeGroup()))
                        .findFirst();
        if (report.isEmpty()) {
            warning(
                    subject,
                    "there is no volume group " + deviceClass.volumeGroup(),
                    "bring its disks back, or take the class out of lvmd.yaml");
            return;
        }
        erasure(subject, deviceClass);
        deviceClass
                .thin()
                .flatMap(thin -> lackingPool(thin, report.get()))
                .ifPresent(pool -> warning(subject, "there is no thin pool " + pool, "create it"));
    }

    /** TopoLVM's callers do not wait for a volume to be zeroed, so nobody turns it on for them. */
    private void erasure(String subject, NodeDeviceClass deviceClass) {
        var erasure = deviceClass.erasure();
        if (deviceClass.thin().isEmpty()
                && erasure.zeroVolumes() == ZeroVolumes.NONE
                && erasure.onRemoval() != OnRemoval.ZERO) {
            warning(
                    subject,
                    "a volume that a pod uses as a raw device shows what earlier volumes left",
                    "set zero-volumes to block in lvmd.yaml");
        }
    }

    private static Optional<String> lackingPool(Thin thin, VolumeGroupReport report) {
        return report.logicalVolume(thin.pool()).filter(LogicalVolume::isThinPool).isPresent()
                ? Optional.empty()
                : Optional.of(report.group().name() + '/' + thin.pool());
    }

    private void error(String subject, String text, String cure) {
        found.add(Finding.error(subject, text, cure));
    }

    private void warning(String subject, String text, String cure) {
        found.add(Finding.warning(subject, text, cure));
    }

    private void note(String subject, String text, String cure) {
        found.add(Finding.note(subject, text, cure));
    }
}
