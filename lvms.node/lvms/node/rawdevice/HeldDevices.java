package lvms.node.rawdevice;

import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.RawVolume;
import lvms.k8s.client.ApiException;
import lvms.lvm2.label.PvLabel;
import lvms.node.disk.Host;
import lvms.node.disk.NodeDevice;
import lvms.node.proof.DiskTaking;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The machine as volume groups may see it: a device that a volume has as a whole is in use, and so
 * is each partition of it, also afterwards until it is erased. Whatever could be such a device
 * counts as one, and one whose RawDevice somebody has deleted. Right before a device is taken or
 * wiped the API server is asked, since a cache may be late, or empty after a start.
 *
 * @param machine the machine itself
 * @param known what is known of the raw devices of this node
 * @param server asks for it now
 */
record HeldDevices(Host machine, Supplier<RawLedger> known, Server server) implements Host {
    /** Asks the API server. */
    @FunctionalInterface
    interface Server {
        RawLedger read() throws ApiException, InterruptedException;
    }

    @Override
    public List<NodeDevice> devices() throws IOException, InterruptedException {
        var devices = machine.devices();
        var holders = holders(devices, known.get());
        return holders.isEmpty()
                ? devices
                : devices.stream().map(device -> shown(device, holders)).toList();
    }

    private static NodeDevice shown(NodeDevice device, Map<String, String> holders) {
        var holder = holders.get(device.kernelName());
        return holder == null ? device : device.usedBy(holder);
    }

    /** Returns for each device that is not free, by its kernel name, who has it. */
    private static Map<String, String> holders(List<NodeDevice> devices, RawLedger ledger) {
        var holders = new HashMap<String, String>();
        var present = devices.stream().map(PresentDevice::of).toList();
        for (var object : ledger.held(present)) {
            present.stream()
                    .filter(device -> RawDeviceMatch.mayBe(object, device))
                    .forEach(device -> holders.putIfAbsent(device.kernelName(), text(object)));
        }
        for (var device : present) {
            ledger.mayHave(device, present)
                    .ifPresent(volume -> holders.putIfAbsent(device.kernelName(), text(volume)));
        }
        for (var device : devices) {
            var parent = holders.get("/dev/" + device.hardware().parent());
            if (parent != null) {
                holders.putIfAbsent(device.kernelName(), "a part of " + parent);
            }
        }
        return holders;
    }

    private static String text(RawDevice object) {
        return "raw device "
                + object.name()
                + (object.toBeErased() ? ", which is erased before another volume gets it" : "")
                + object.volume().map(volume -> " of volume " + volume).orElse("");
    }

    private static String text(RawVolume volume) {
        return "perhaps that of PersistentVolume %s, whose RawDevice %s is gone, and nothing says"
                        .formatted(volume.name(), volume.handle())
                + " which disk it was";
    }

    @Override
    public DiskTaking lastLook(NodeDevice device) throws IOException, InterruptedException {
        var taking = machine.lastLook(device);
        return holder(device).map(holder -> taking.with("is " + holder)).orElse(taking);
    }

    @Override
    public void wipe(NodeDevice device) throws IOException, InterruptedException {
        var holder = holder(device);
        if (holder.isPresent()) {
            throw new IOException(device.name() + " is " + holder.get());
        }
        machine.wipe(device);
    }

    private Optional<String> holder(NodeDevice device) throws IOException, InterruptedException {
        try {
            var holders = holders(machine.devices(), server.read());
            return Optional.ofNullable(holders.get(device.kernelName()));
        } catch (ApiException e) {
            throw new IOException(
                    device.name()
                            + " may be a raw device of a volume: RawDevices cannot be read: "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public Optional<String> kernelName(Path path) throws IOException {
        return machine.kernelName(path);
    }

    @Override
    public PvLabel label(NodeDevice device) throws IOException {
        return machine.label(device);
    }

    @Override
    public String labelStamp(NodeDevice device) throws IOException {
        return machine.labelStamp(device);
    }

    @Override
    public boolean hasData(NodeDevice device) throws IOException {
        return machine.hasData(device);
    }

    @Override
    public long sequence(String kernelName) throws IOException {
        return machine.sequence(kernelName);
    }

    @Override
    public String fingerprint() throws IOException {
        return machine.fingerprint();
    }
}
