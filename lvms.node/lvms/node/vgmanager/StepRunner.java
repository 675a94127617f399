package lvms.node.vgmanager;

import lvms.api.Names;
import lvms.lvm2.DeviceScope;
import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.PoolSize;
import lvms.node.disk.Host;
import lvms.node.disk.KnownPv;
import lvms.node.disk.NodeDevice;
import lvms.node.proof.DiskTaking;
import lvms.node.proof.Proofs;
import lvms.node.vgmanager.plan.Situation;
import lvms.node.vgmanager.plan.Step;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Carries out steps.
 *
 * @param lvm LVM with its own configuration
 * @param host looks at the disks once more, right before LVM gets their names
 */
record StepRunner(Lvm lvm, Host host) {
    private static final long SMALL_DEVICE_BYTES = 1L << 30;

    /** LVM's own default; our 16 MiB would take too much of a small device. */
    private static final long SMALL_METADATA_BYTES = 1L << 20;

    void run(Step step, Situation s) throws LvmException, InterruptedException {
        var name = s.goal().volumeGroup();
        requireSame(s.members());
        switch (step) {
            // Not through a limited view: a command that is told its devices leaves the host's
            // devices file alone, and LVM would never see the new physical volumes.
            case Step.CreateGroup(var devices) -> {
                requireFree(devices, s);
                lvm.groups().create(groupOf(name, devices));
                requireTaken(name, devices);
            }
            case Step.AdoptGroup(var tags) -> lvm.groups().adopt(group(s), tags);
            case Step.ExtendGroup(var devices) -> {
                requireFree(devices, s);
                if (devices.stream().anyMatch(device -> outdated(device, s))) {
                    lvm.groups().forgetOutdated(group(s));
                }
                lvm.groups().extend(group(s), paths(devices), false);
                requireTaken(name, devices);
            }
            case Step.ResizeDevices(var pvs) -> resize(pvs, s);
            case Step.ForgetGrowth() ->
                    limited(s).groups().changeTags(group(s), Set.of(), Set.of(Names.GROWN_TAG));
            case Step.RestoreDevices(var pvs) ->
                    lvm.groups()
                            .restoreMissing(
                                    group(s), pvs.stream().map(pv -> pv.pv().identity()).toList());
            case Step.RepairVolume(var volume) -> limited(s).raid().repair(volume, List.of());
            case Step.RefreshVolume(var volume) -> limited(s).volumes().refresh(volume);
            case Step.RemoveMissing(var pvs) -> {
                lvm.groups().removeMissing(group(s));
                forget(pvs);
            }
            case Step.RemoveDevices(var pvs) -> {
                limited(s).groups().reduce(group(s), present(pvs));
                forget(pvs);
            }
            case Step.CreatePool(var request) -> limited(s).pools().create(request);
            case Step.ExtendPool(var bytes) ->
                    limited(s).pools().extend(pool(s), new PoolSize.Bytes(bytes));
            case Step.GrowPoolMetadata(var bytes) ->
                    limited(s).pools().extendMetadata(pool(s), bytes);
            case Step.ChangeWhenFull(var error) ->
                    limited(s).pools().changeWhenFull(pool(s), error);
            case Step.ActivatePool() -> limited(s).volumes().activate(pool(s));
            case Step.ResumePool() -> limited(s).volumes().refresh(pool(s));
            case Step.RemovePool(var pool) -> removePool(new LvName(name, pool), s);
            case Step.RemoveGroup(var pvs) -> {
                limited(s).groups().deactivate(group(s));
                limited(s).groups().remove(group(s));
                forget(pvs);
            }
        }
    }

    /** The note comes first: what is killed in between is found and ended by the next pass. */
    private void resize(List<KnownPv> pvs, Situation s) throws LvmException, InterruptedException {
        if (s.goal().pool().isPresent()) {
            limited(s).groups().changeTags(group(s), Set.of(Names.GROWN_TAG), Set.of());
        }
        for (var volume : present(pvs)) {
            limited(s).physicalVolumes().resize(volume);
        }
    }

    private void requireFree(List<NodeDevice> devices, Situation s)
            throws LvmException, InterruptedException {
        for (var device : devices) {
            try {
                var objection = Proofs.take(lastLook(device, s));
                if (objection.isPresent()) {
                    throw new LvmException.InUse(objection.get());
                }
            } catch (IOException e) {
                throw new LvmException.Unavailable("cannot examine " + device.name(), e);
            }
        }
    }

    private DiskTaking lastLook(NodeDevice device, Situation s)
            throws IOException, InterruptedException {
        var evidence = host.lastLook(device);
        boolean data = evidence.same() && s.mustBeEmpty(device) && host.hasData(device);
        return data ? evidence.withData() : evidence;
    }

    /** LVM gets the names of the group's disks; each has to be the disk that was read. */
    private void requireSame(List<KnownPv> members) throws LvmException {
        for (var pv : members) {
            if (pv.kernelName().isPresent() && !has(pv.kernelName().get(), pv.sequence())) {
                throw new LvmException.Replaced(
                        "another disk has the name " + pv.pv().device() + " by now");
            }
        }
    }

    /** If a disk changed its name in the last milliseconds, LVM has taken another one. */
    private void requireTaken(String name, List<NodeDevice> devices)
            throws LvmException, InterruptedException {
        var report = lvm.groups().report(name);
        long there = report.map(r -> r.group().physicalVolumes()).orElse(0L);
        for (var device : devices) {
            if (there == 0 || !has(device.kernelName(), device.sequence())) {
                throw new LvmException.Replaced(
                        ("%s changed its name while volume group %s was given it: look at \"pvs\""
                                        + " on the node, the group may have another disk")
                                .formatted(device.name(), name));
            }
        }
    }

    private boolean has(String kernelName, long sequence) throws LvmException {
        try {
            return host.sequence(kernelName) == sequence;
        } catch (IOException e) {
            throw new LvmException.Unavailable("cannot examine " + kernelName, e);
        }
    }

    /** LVM does not list a device that was given up while it was missing: its label is outdated. */
    private static boolean outdated(NodeDevice device, Situation s) {
        return device.isLvmMember() && s.pvs().stream().noneMatch(pv -> pv.isOn(device));
    }

    /** Removes the labels of physical volumes that are no longer in a group. */
    void retire(List<KnownPv> orphans) throws LvmException, InterruptedException {
        for (var orphan : orphans) {
            lvm.physicalVolumes().remove(orphan.pv().identity());
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

    private void removePool(LvName name, Situation s) throws LvmException, InterruptedException {
        var pool = s.groups().getFirst().logicalVolume(name.lv());
        if (pool.isPresent()) {
            limited(s).volumes().deactivate(pool.get().identity());
            limited(s).volumes().remove(pool.get().identity());
        }
    }

    /** The group that the step was decided for. */
    private static Identity<String> group(Situation s) {
        return s.groups().getFirst().group().identity();
    }

    private static Identity<LvName> pool(Situation s) {
        return s.pool().orElseThrow().identity();
    }

    private static List<Path> paths(List<NodeDevice> devices) {
        return devices.stream().map(NodeDevice::kernelName).sorted().map(Path::of).toList();
    }

    private static List<Path> pvPaths(List<KnownPv> pvs) {
        return present(pvs).stream().map(Identity::name).toList();
    }

    private static List<Identity<Path>> present(List<KnownPv> pvs) {
        return pvs.stream().filter(pv -> !pv.pv().missing()).map(pv -> pv.pv().identity()).toList();
    }
}
