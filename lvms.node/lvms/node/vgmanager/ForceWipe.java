package lvms.node.vgmanager;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.client.ApiException;
import lvms.lvm2.DeviceScope;
import lvms.lvm2.LvmException;
import lvms.node.deviceclass.VolumeGroupGoal;
import lvms.node.disk.Inventory;
import lvms.node.vgmanager.plan.WipePlan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;

/**
 * Wipes the named devices of a group once per node, if the user asked for it, before anything is
 * made of them; then notes that it did. If the process dies in between, the devices are still not
 * in use and are wiped again.
 *
 * @param group the group
 * @param contenders every group that this node takes part in
 * @param parts what passes work with
 */
record ForceWipe(
        LvmVolumeGroup group, Collection<LvmVolumeGroup> contenders, VolumeGroupParts parts) {
    /** What Kubernetes allows after the slash of an annotation's key. */
    private static final int MAXIMUM_KEY = 63;

    private static final System.Logger LOG = System.getLogger(ForceWipe.class.getName());

    /** Wipes if it has to; returns why not, if it must not. */
    Optional<String> run() throws IOException, LvmException, ApiException, InterruptedException {
        if (!wanted()) {
            return Optional.empty();
        }
        if (parts.nodeName().length() > MAXIMUM_KEY) {
            return Optional.of("cannot wipe: the name of this node is too long for the annotation");
        }
        var reading = parts.reader().read(group, contenders);
        var s = reading.situation();
        var plan = new WipePlan(s.goal(), s.selection(), reading.inventory(), reading.claims());
        return switch (plan.decide()) {
            case WipePlan.Outcome.Refused(var message) -> Optional.of(message);
            case WipePlan.Outcome.Wipe wipe -> {
                parts.status().put(GroupReport.progressing(s), group.object());
                yield wipe(wipe, reading.inventory());
            }
        };
    }

    /** The node status proves that the group was in service, should the annotation be lost. */
    private boolean wanted() {
        boolean inService =
                parts.status().entry(group.name()).filter(e -> !e.devices().isEmpty()).isPresent();
        boolean named = group.spec().deviceSelector().filter(s -> !s.isEmpty()).isPresent();
        return named
                && VolumeGroupGoal.of(group).forceWipe()
                && !group.wipedOn(parts.nodeName())
                && !inService;
    }

    /** Returns why a device could not be wiped: it came into use, or is in use in a hidden way. */
    private Optional<String> wipe(WipePlan.Outcome.Wipe wipe, Inventory inventory)
            throws LvmException, ApiException, InterruptedException {
        for (var name : wipe.groups()) {
            deactivate(name, inventory);
        }
        parts.inventory().invalidate();
        for (var device : wipe.devices()) {
            LOG.log(
                    WARNING,
                    () -> "device is wiped vg=" + group.name() + " device=" + device.name());
            try {
                parts.host().wipe(device);
            } catch (IOException e) {
                return Optional.of("cannot wipe " + device.name() + ": " + e.getMessage());
            }
        }
        parts.objects().markWiped(group);
        return Optional.empty();
    }

    private void deactivate(String name, Inventory inventory)
            throws LvmException, InterruptedException {
        var devices =
                inventory.pvs().stream()
                        .filter(pv -> pv.isIn(name))
                        .map(pv -> Path.of(pv.pv().device()))
                        .toList();
        parts.lvm().limitedTo(DeviceScope.only(devices)).groups().deactivate(name);
    }
}
