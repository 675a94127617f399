package lvms.node.vgmanager;

import lvms.api.Names;
import lvms.lvm2.DeviceScope;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.PoolSize;
import lvms.node.deviceclass.PoolGoal;
import lvms.node.disk.KnownPv;
import lvms.node.disk.NodeDevice;
import lvms.node.vgmanager.plan.Situation;
import lvms.node.vgmanager.plan.Step;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Carries out steps.
 *
 * @param lvm LVM with its own configuration
 */
record StepRunner(Lvm lvm) {
    private static final long SMALL_DEVICE_BYTES = 1L << 30;

    /** LVM's own default; our 16 MiB would take too much of a small device. */
    private static final long SMALL_METADATA_BYTES = 1L << 20;

    void run(Step step, Situation s) throws LvmException, InterruptedException {
        var name = s.goal().name();
        switch (step) {
            // Not through a limited view: a command that is told its devices leaves the host's
            // devices file alone, and LVM would never see the new physical volumes.
            case Step.CreateGroup(var devices) -> lvm.groups().create(groupOf(name, devices));
            case Step.ExtendGroup(var devices) -> {
                if (devices.stream().anyMatch(device -> outdated(device, s))) {
                    lvm.groups().forgetOutdated(name);
                }
                lvm.groups().extend(name, paths(devices), false);
            }
            case Step.RestoreDevices(var pvs) ->
                    lvm.groups()
                            .restoreMissing(
                                    name,
                                    pvs.stream().map(pv -> Path.of(pv.pv().device())).toList());
            case Step.RepairVolume(var volume) -> limited(s).raid().repair(volume, List.of());
            case Step.RefreshVolume(var volume) -> limited(s).volumes().refresh(volume);
            case Step.RemoveMissing(var pvs) -> {
                lvm.groups().removeMissing(name);
                forget(pvs);
            }
            case Step.RemoveDevices(var pvs) -> {
                limited(s).groups().reduce(name, pvPaths(pvs));
                forget(pvs);
            }
            case Step.CreatePool(var request) -> limited(s).pools().create(request);
            case Step.ExtendPool(var bytes) ->
                    limited(s).pools().extend(pool(s), new PoolSize.Bytes(bytes));
            case Step.GrowPoolMetadata(var bytes) ->
                    limited(s).pools().extendMetadata(pool(s), bytes);
            case Step.ActivatePool() -> limited(s).volumes().activate(pool(s));
            case Step.ResumePool() -> limited(s).volumes().refresh(pool(s));
            case Step.RemovePool(var pool) -> {
                limited(s).volumes().deactivate(new LvName(name, pool));
                limited(s).volumes().remove(new LvName(name, pool));
            }
            case Step.RemoveGroup(var pvs) -> {
                limited(s).groups().deactivate(name);
                limited(s).groups().remove(name);
                forget(pvs);
            }
        }
    }

    /** LVM does not list a device that was given up while it was missing: its label is outdated. */
    private static boolean outdated(NodeDevice device, Situation s) {
        return device.isLvmMember() && s.pvs().stream().noneMatch(pv -> pv.isOn(device));
    }

    /** Removes the labels of physical volumes that are no longer in a group. */
    void retire(List<KnownPv> orphans) throws LvmException, InterruptedException {
        for (var orphan : orphans) {
            lvm.physicalVolumes().remove(Path.of(orphan.pv().device()));
        }
        forget(orphans);
    }

    private void forget(List<KnownPv> pvs) throws LvmException, InterruptedException {
        for (var pv : pvs) {
            lvm.physicalVolumes().forget(pv.pv().uuid());
        }
    }

    /** Returns LVM that sees only this group's devices, so that it cannot harm others. */
    private Lvm limited(Situation s) {
        return lvm.limitedTo(DeviceScope.only(pvPaths(s.members())));
    }

    private static NewVolumeGroup groupOf(String name, List<NodeDevice> devices) {
        boolean small = devices.stream().anyMatch(d -> d.sizeBytes() < SMALL_DEVICE_BYTES);
        long metadataBytes =
                small ? SMALL_METADATA_BYTES : NewVolumeGroup.DEFAULT_METADATA_SIZE_BYTES;
        return new NewVolumeGroup(
                name, paths(devices), Set.of(Names.VOLUME_GROUP_TAG), metadataBytes, false);
    }

    private static LvName pool(Situation s) {
        return new LvName(s.goal().name(), s.goal().pool().map(PoolGoal::name).orElseThrow());
    }

    private static List<Path> paths(List<NodeDevice> devices) {
        return devices.stream().map(NodeDevice::kernelName).sorted().map(Path::of).toList();
    }

    private static List<Path> pvPaths(List<KnownPv> pvs) {
        return pvs.stream()
                .filter(pv -> !pv.pv().missing())
                .map(pv -> Path.of(pv.pv().device()))
                .toList();
    }
}
