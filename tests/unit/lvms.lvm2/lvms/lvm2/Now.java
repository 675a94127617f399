package lvms.lvm2;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What has a name at this moment, for tests that mean whatever is there. If nothing is there, an
 * identity that nothing ever had.
 */
public final class Now {
    static final String NOBODY = "nobody-0000-0000-0000-0000-0000-000000";

    private Now() {}

    public static Identity<LvName> volume(Lvm lvm, LvName name)
            throws LvmException, InterruptedException {
        return lvm.volumes().identify(name).orElseGet(() -> new Identity<>(name, NOBODY));
    }

    public static Identity<String> group(Lvm lvm, String name)
            throws LvmException, InterruptedException {
        return lvm.groups()
                .find(name)
                .map(VolumeGroup::identity)
                .orElseGet(() -> new Identity<>(name, NOBODY));
    }

    public static List<Identity<Path>> devices(Lvm lvm, List<Path> devices)
            throws LvmException, InterruptedException {
        var all = new ArrayList<Identity<Path>>();
        for (var device : devices) {
            all.add(device(lvm, device));
        }
        return all;
    }

    public static Identity<Path> device(Lvm lvm, Path device)
            throws LvmException, InterruptedException {
        return lvm.physicalVolumes()
                .find(device)
                .map(pv -> new Identity<>(device, pv.uuid()))
                .orElseGet(() -> new Identity<>(device, NOBODY));
    }
}
