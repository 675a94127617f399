package lvms.node;

import lvms.csi.SelfCheck;
import lvms.lvm2.DeviceScope;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Looks whether LVM runs a command and the kernel's device-mapper answers. The command sees no
 * disk: one that hangs is the trouble of its volumes, and the node serves the others.
 */
record NodeCheck(Lvm lvm, DeviceMapper kernel) implements SelfCheck.Look {
    private static final DeviceScope NO_DISK = DeviceScope.only(List.of(Path.of("/dev/null")));

    static NodeCheck of(Lvm lvm) {
        return new NodeCheck(lvm, DeviceMapper.system());
    }

    @Override
    public Optional<String> trouble() throws InterruptedException {
        try {
            lvm.limitedTo(NO_DISK).groups().names();
            kernel.list();
            return Optional.empty();
        } catch (LvmException e) {
            return Optional.of("LVM runs no command: " + e.getMessage());
        } catch (IOException e) {
            return Optional.of("the device-mapper does not answer: " + e.getMessage());
        }
    }
}
