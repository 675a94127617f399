package lvms.node.vgmanager;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.client.ApiException;
import lvms.lvm2.DeviceScope;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.node.deviceclass.VolumeGroupGoal;
import lvms.node.disk.Host;
import lvms.node.disk.Inventory;
import lvms.node.disk.InventoryReader;
import lvms.node.vgmanager.plan.WipePlan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;

/**
 * Wipes the named devices of a group, if the user asked for it: once per node, and before their
 * first use. Then it notes that it did. If the process dies in between, the devices are still
 * unused and are wiped again. A group that is there, or was, gets the note without being wiped, for
 * a day on which its disks come late.
 *
 * @param objects say whether the devices were wiped before, and keep the note that they were
 * @param volumes name what was handed out on this node
 * @param status says whether the group was in service
 * @param reader reads the situation
 * @param inventory read anew before and after
 * @param host wipes devices
 * @param lvm deactivates what is on them
 */
record ForceWipe(
        GroupObjects objects,
        VolumeNames volumes,
        NodeStatus status,
        SituationReader reader,
        InventoryReader inventory,
        Host host,
        Lvm lvm) {
    /** The longest name that Kubernetes allows after the slash of an annotation's key. */
    private static final int MAXIMUM_KEY = 63;

    private static final System.Logger LOG = System.getLogger(ForceWipe.class.getName());

    /** Wipes if the user asked for it; returns the reason if it must not. */
    Optional<String> run(LvmVolumeGroup group, Collection<LvmVolumeGroup> contenders)
            throws IOException, LvmException, ApiException, InterruptedException {
        if (!wanted(group)) {
            return Optional.empty();
        }
        boolean noted = objects.nodeName().length() <= MAXIMUM_KEY;
        inventory.invalidate(); // a group may have been made on a label that was there already
        var reading = reader.read(group, contenders);
        var s = reading.situation();
        if (reading.inventory().hasOurs(s.goal().volumeGroup()) || wasInService(group)) {
            if (noted) {
                objects.markWiped(group, "the devices were in use");
            }
            return Optional.empty();
        }
        if (s.goal().listing().adopt() && !s.groups().isEmpty()) {
            return Optional.empty(); // it is taken over, or the plan says why not
        }
        if (!noted) {
            return Optional.of("cannot wipe: the name of this node is too long for the annotation");
        }
        var plan = new WipePlan(reading.choice(), reading.inventory(), volumes.read());
        return switch (plan.decide()) {
            case WipePlan.Outcome.Refused(var message) -> Optional.of(message);
            case WipePlan.Outcome.Wipe wipe -> {
                status.put(StatusEntry.progressing(s), group.object());
                yield wipe(group, wipe, reading.inventory());
            }
        };
    }

    private boolean wasInService(LvmVolumeGroup group) {
        return status.entry(group.name()).filter(e -> !e.devices().isEmpty()).isPresent();
    }

    private boolean wanted(LvmVolumeGroup group) {
        boolean named = group.spec().group().deviceSelector().filter(s -> !s.isEmpty()).isPresent();
        return named && VolumeGroupGoal.of(group).forceWipe() && !group.wipedOn(objects.nodeName());
    }

    /**
     * Returns why a device could not be wiped: somebody has begun to use it, or uses it in a hidden
     * way.
     */
    private Optional<String> wipe(LvmVolumeGroup group, WipePlan.Outcome.Wipe wipe, Inventory found)
            throws LvmException, ApiException, InterruptedException {
        for (var name : wipe.groups()) {
            deactivate(name, found);
        }
        inventory.invalidate();
        for (var device : wipe.devices()) {
            LOG.log(
                    WARNING,
                    () -> "wiping a device vg=" + group.volumeGroup() + " device=" + device.name());
            try {
                host.wipe(device);
            } catch (IOException e) {
                return Optional.of("cannot wipe " + device.name() + ": " + e.getMessage());
            }
        }
        objects.markWiped(group, "the devices were wiped");
        return Optional.empty();
    }

    private void deactivate(String name, Inventory found)
            throws LvmException, InterruptedException {
        var devices =
                found.pvs().stream()
                        .filter(pv -> pv.isIn(name))
                        .map(pv -> Path.of(pv.pv().device()))
                        .toList();
        for (var report : found.groupsNamed(name)) {
            lvm.limitedTo(DeviceScope.only(devices)).groups().deactivate(report.group().identity());
        }
    }
}
