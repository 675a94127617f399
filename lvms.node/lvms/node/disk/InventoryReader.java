package lvms.node.disk;

import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.PhysicalVolume;
import lvms.lvm2.VolumeGroupReport;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads the inventory. The devices are read each time, which starts no process; LVM is asked only
 * if a device or what LVM wrote on it changed, or after {@link #invalidate}. One thread at a time
 * reads.
 */
public final class InventoryReader {
    private final Host host;
    private final Lvm lvm;
    private Observed last = new Observed(List.of(), Map.of());
    private List<VolumeGroupReport> groups = List.of();
    private List<PhysicalVolume> pvs = List.of();
    private List<UnlistedPv> unlisted = List.of();
    private final AtomicLong changes = new AtomicLong();

    /** The changes that LVM's last answers show. */
    private OptionalLong shown = OptionalLong.empty();

    /**
     * What LVM's answers depend on.
     *
     * @param stamps of the physical volumes, by kernel name: a group may appear, change or go
     *     without a change of its devices
     */
    private record Observed(List<NodeDevice> devices, Map<String, String> stamps) {}

    public InventoryReader(Host host, Lvm lvm) {
        this.host = host;
        this.lvm = lvm;
    }

    /**
     * Makes the next read ask LVM: its own state may have changed. Returns at once, also while a
     * read waits for a disk.
     */
    public void invalidate() {
        changes.incrementAndGet();
    }

    public synchronized Inventory read() throws IOException, LvmException, InterruptedException {
        long now = changes.get();
        var devices = host.devices();
        var seen = observed(devices);
        if (shown.isEmpty() || shown.getAsLong() != now || !seen.equals(last)) {
            shown = OptionalLong.empty(); // until both reads have succeeded
            groups = lvm.groups().reports();
            pvs = lvm.physicalVolumes().all();
            unlisted = unlisted(host, devices, located(devices));
            last = seen;
            shown = OptionalLong.of(now);
        }
        return new Inventory(devices, groups, located(devices), unlisted);
    }

    private Observed observed(List<NodeDevice> devices) {
        var stamps = new HashMap<String, String>();
        for (var device : devices) {
            if (device.isLvmMember()) {
                stamps.put(device.kernelName(), stamp(device));
            }
        }
        return new Observed(withoutVolumes(devices), stamps);
    }

    /** A label that cannot be read is reported with the devices that LVM does not list. */
    private String stamp(NodeDevice device) {
        try {
            return host.labelStamp(device);
        } catch (IOException e) {
            return "unreadable: " + e.getMessage();
        }
    }

    /** Reads the devices and the labels on them; LVM is not asked and lists nothing. */
    public static Inventory withoutLvm(Host host) throws IOException, InterruptedException {
        var devices = host.devices();
        return new Inventory(devices, List.of(), List.of(), unlisted(host, devices, List.of()));
    }

    private static List<UnlistedPv> unlisted(
            Host host, List<NodeDevice> devices, List<KnownPv> listed) {
        return devices.stream()
                .filter(NodeDevice::isLvmMember)
                .filter(device -> listed.stream().noneMatch(pv -> pv.isOn(device)))
                .map(device -> unlisted(host, device))
                .toList();
    }

    private static UnlistedPv unlisted(Host host, NodeDevice device) {
        try {
            var label = host.label(device);
            return new UnlistedPv(device.kernelName(), label.group(), Optional.empty());
        } catch (IOException e) {
            return new UnlistedPv(
                    device.kernelName(), Optional.empty(), Optional.of(e.getMessage()));
        }
    }

    /** Logical volumes come and go with every claim, and say nothing about the devices. */
    public static List<NodeDevice> withoutVolumes(List<NodeDevice> devices) {
        var volumes = new HashSet<String>();
        for (var device : devices) {
            if (device.type().equals("lvm")) {
                volumes.add(device.kernelName().substring("/dev/".length()));
            }
        }
        return devices.stream()
                .filter(device -> !device.type().equals("lvm"))
                .map(device -> withoutChildren(device, volumes))
                .toList();
    }

    private static NodeDevice withoutChildren(NodeDevice device, Set<String> volumes) {
        return device.withChildren(
                device.children().stream().filter(child -> !volumes.contains(child)).toList());
    }

    private List<KnownPv> located(List<NodeDevice> devices) throws IOException {
        var byName = new HashMap<String, String>();
        for (var device : devices) {
            byName.put(device.name(), device.kernelName());
            byName.put(device.kernelName(), device.kernelName());
        }
        var located = new ArrayList<KnownPv>();
        for (var pv : pvs) {
            var direct = Optional.ofNullable(byName.get(pv.device()));
            var kernelName = direct.isPresent() ? direct : resolved(pv);
            located.add(new KnownPv(pv, kernelName, sequence(kernelName, devices)));
        }
        return located;
    }

    /** As it was when the devices were read, so before LVM was asked. */
    private static long sequence(Optional<String> kernelName, List<NodeDevice> devices) {
        return devices.stream()
                .filter(device -> kernelName.filter(device.kernelName()::equals).isPresent())
                .mapToLong(NodeDevice::sequence)
                .findFirst()
                .orElse(0);
    }

    private Optional<String> resolved(PhysicalVolume pv) throws IOException {
        return pv.missing() || !pv.device().startsWith("/")
                ? Optional.empty()
                : host.kernelName(Path.of(pv.device()));
    }
}
