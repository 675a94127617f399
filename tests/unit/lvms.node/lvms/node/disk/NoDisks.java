package lvms.node.disk;

import lvms.lvm2.label.PvLabel;
import lvms.node.proof.DiskTaking;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A machine without block devices, so nobody may ask for one. */
public class NoDisks implements Host {
    @Override
    public List<NodeDevice> devices() {
        return List.of();
    }

    @Override
    public Optional<String> kernelName(Path path) {
        return Optional.empty();
    }

    @Override
    public PvLabel label(NodeDevice device) {
        throw missing(device);
    }

    @Override
    public String labelStamp(NodeDevice device) {
        throw missing(device);
    }

    @Override
    public boolean hasData(NodeDevice device) {
        throw missing(device);
    }

    @Override
    public long sequence(String kernelName) {
        return 0;
    }

    @Override
    public DiskTaking lastLook(NodeDevice device) {
        throw missing(device);
    }

    @Override
    public void wipe(NodeDevice device) {
        throw missing(device);
    }

    @Override
    public String fingerprint() {
        return "";
    }

    private static AssertionError missing(NodeDevice device) {
        return new AssertionError("there are no disks, but this was asked for: " + device);
    }
}
