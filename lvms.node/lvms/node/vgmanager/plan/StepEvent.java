package lvms.node.vgmanager.plan;

import lvms.node.disk.KnownPv;
import lvms.node.disk.NodeDevice;

import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/** The Event for a step that was taken. */
public record StepEvent(EventReason reason, String note) {
    /** Returns the Event of a step; empty for a step that only prepares others. */
    public static Optional<StepEvent> of(Step step) {
        return switch (step) {
            case Step.CreateGroup(var devices) -> added(devices);
            case Step.AdoptGroup _ ->
                    Optional.of(
                            new StepEvent(
                                    EventReason.GROUP_ADOPTED,
                                    "took over a volume group that has no tag of ours"));
            case Step.ExtendGroup(var devices) -> added(devices);
            case Step.ResizeDevices(var pvs) ->
                    Optional.of(
                            new StepEvent(
                                    EventReason.DEVICE_GREW,
                                    "took up the growth of " + devices(pvs)));
            case Step.RemoveDevices(var pvs) -> removed("removed " + devices(pvs));
            case Step.RemoveMissing(var pvs) ->
                    removed("removed missing physical volumes " + uuids(pvs));
            case Step.RestoreDevices(var pvs) -> repaired("restored " + devices(pvs));
            case Step.RefreshVolume(var volume) ->
                    repaired(volume.name() + " is synchronized again");
            case Step.RepairVolume(var volume) ->
                    repaired(volume.name() + " is copied to another device");
            case Step.CreatePool _,
                    Step.ExtendPool _,
                    Step.GrowPoolMetadata _,
                    Step.ForgetGrowth _,
                    Step.ChangeWhenFull _,
                    Step.ActivatePool _,
                    Step.ResumePool _,
                    Step.RemovePool _,
                    Step.RemoveGroup _ ->
                    Optional.empty();
        };
    }

    private static Optional<StepEvent> added(Collection<NodeDevice> devices) {
        var names = devices.stream().map(NodeDevice::name).collect(Collectors.joining(", "));
        return Optional.of(new StepEvent(EventReason.DEVICE_ADDED, "added " + names));
    }

    private static Optional<StepEvent> removed(String note) {
        return Optional.of(new StepEvent(EventReason.DEVICE_REMOVED, note));
    }

    private static Optional<StepEvent> repaired(String note) {
        return Optional.of(new StepEvent(EventReason.RAID_REPAIR, note));
    }

    private static String devices(Collection<KnownPv> pvs) {
        return pvs.stream().map(pv -> pv.pv().device()).collect(Collectors.joining(", "));
    }

    private static String uuids(Collection<KnownPv> pvs) {
        return pvs.stream().map(pv -> pv.pv().uuid()).sorted().collect(Collectors.joining(", "));
    }
}
