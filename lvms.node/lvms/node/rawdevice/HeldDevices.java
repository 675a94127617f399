package lvms.node.rawdevice;

import lvms.api.nativestor.RawDevice;
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
 * counts as one. Right before a device is taken or wiped the API server is asked, since a cache may
 * be late, or empty after a start.
 *
 * @param machine the machine itself
 * @param known the RawDevices of this node as far as they are known
 * @param server asks for them now
 */
record HeldDevices(Host machine, Supplier<List<RawDevice>> known, Server server) implements Host {
    /** Asks the API server. */
    @FunctionalInterface
    interface Server {
        List<RawDevice> read() throws ApiException, InterruptedException;
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
    private static Map<String, String> holders(List<NodeDevice> devices, List<RawDevice> objects) {
        var holders = new HashMap<String, String>();
        for (var object : objects) {
            if (object.allocated() || object.used()) {
                devices.stream()
                        .filter(device -> RawDeviceMatch.mayBe(object, PresentDevice.of(device)))
                        .forEach(device -> holders.putIfAbsent(device.kernelName(), text(object)));
            }
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
