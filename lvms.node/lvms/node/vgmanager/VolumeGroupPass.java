package lvms.node.vgmanager;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.EffectiveDiscovery;
import lvms.api.LvmVolumeGroup;
import lvms.api.RaidHealth;
import lvms.api.VolumeGroupStatus;
import lvms.k8s.client.ApiException;
import lvms.k8s.controller.Result;
import lvms.lvm2.LvmException;
import lvms.node.deviceclass.DeviceClassStore;
import lvms.node.disk.KnownPv;
import lvms.node.disk.NodeDevice;
import lvms.node.vgmanager.plan.Decision;
import lvms.node.vgmanager.plan.EventReason;
import lvms.node.vgmanager.plan.Situation;
import lvms.node.vgmanager.plan.Step;
import lvms.node.vgmanager.plan.VolumeGroupPlan;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One pass over one volume group: read, decide, take a step, read again, until nothing is left to
 * do or something stands in the way. A step that is decided twice in a row had no effect, and ends
 * the pass.
 */
final class VolumeGroupPass {
    private static final System.Logger LOG = System.getLogger(VolumeGroupPass.class.getName());

    /** How often a group is looked at whose obstacle raises no event, such as a wiped disk. */
    private static final Duration BLOCKED = Duration.ofSeconds(30);

    /** How often blank disks are looked for that raised no event; reads devices, not LVM. */
    private static final Duration DYNAMIC = Duration.ofSeconds(30);

    /** How often the health of RAID volumes is read that change, or do not tell when they do. */
    private static final Duration RAID = Duration.ofSeconds(60);

    private static final Duration RESYNC = Duration.ofMinutes(10);

    private final LvmVolumeGroup group;
    private final Collection<LvmVolumeGroup> contenders;
    private final VolumeGroupParts parts;
    private final StepRunner runner;
    private Optional<Step> last = Optional.empty();
    private boolean replaced;

    VolumeGroupPass(
            LvmVolumeGroup group, Collection<LvmVolumeGroup> contenders, VolumeGroupParts parts) {
        this.group = group;
        this.contenders = contenders;
        this.parts = parts;
        this.runner = new StepRunner(parts.lvm());
    }

    /** Makes the group what the user wants. */
    Result converge() throws IOException, LvmException, ApiException, InterruptedException {
        retire();
        var refusal = new ForceWipe(group, contenders, parts).run();
        if (refusal.isPresent()) {
            var s = parts.reader().read(group, contenders).situation();
            return blocked(s, EventReason.PATH_CHECK_FAILED, refusal.get());
        }
        while (true) {
            var s = parts.reader().read(group, contenders).situation();
            switch (new VolumeGroupPlan(s, parts.missingDevices().givenUp(s, replaced)).next()) {
                case Decision.Act(var step) when last.filter(step::equals).isPresent() -> {
                    return futile(s, step);
                }
                case Decision.Act(var step) -> take(step, s);
                case Decision.Blocked(var reason, var message) -> {
                    return blocked(s, reason, message);
                }
                case Decision.Converged() -> {
                    return ready(s);
                }
            }
        }
    }

    /**
     * Removes the group from the disks.
     *
     * @return empty if nothing of it is left; else when to look again
     */
    Optional<Result> remove() throws IOException, LvmException, ApiException, InterruptedException {
        parts.inventory().invalidate(); // logical volumes that went changed no device
        while (true) {
            var s = withoutDevices(parts.reader().read(group, contenders).situation());
            switch (new VolumeGroupPlan(s).nextOfRemoval()) {
                case Decision.Act(var step) when last.filter(step::equals).isPresent() -> {
                    return Optional.of(futile(s, step));
                }
                case Decision.Act(var step) -> take(step, s);
                case Decision.Blocked(var reason, var message) -> {
                    return Optional.of(blocked(s, reason, message));
                }
                case Decision.Converged() -> {
                    retire();
                    tell(parts.classes().remove(group.name()), "device class removed");
                    parts.raid().remove(group.name());
                    parts.failedSteps().forget(group.name());
                    return Optional.empty();
                }
            }
        }
    }

    /** What a group that goes away thinks of the disks is of no interest. */
    private static Situation withoutDevices(Situation s) {
        return new Situation(
                s.goal(),
                s.selection(),
                List.of(),
                s.groups(),
                s.pvs(),
                s.pool(),
                s.deviceMapper());
    }

    private void take(Step step, Situation s)
            throws LvmException, ApiException, InterruptedException {
        last = Optional.of(step);
        replaced |= step instanceof Step.ExtendGroup; // what a lost device shall be replaced by
        boolean again = parts.failedSteps().contains(group.name(), step);
        if (!again) { // else the status goes on telling why it failed
            parts.status().put(GroupReport.progressing(s), group.object());
        }
        noteIntent(step);
        LOG.log(
                again ? DEBUG : INFO,
                () -> "volume group step vg=" + group.name() + " step=" + step.name());
        try {
            runner.run(step, s);
        } catch (LvmException e) {
            parts.failedSteps().put(group.name(), step);
            reportThrown(GroupReport.failed(s, e.getMessage()), step.failure());
            throw e;
        } finally {
            parts.inventory().invalidate();
            parts.changed().run();
        }
        tellOf(step);
    }

    private void tellOf(Step step) {
        switch (step) {
            case Step.CreateGroup(var devices) -> added(devices);
            case Step.ExtendGroup(var devices) -> added(devices);
            case Step.RemoveDevices(var pvs) -> {
                event(EventReason.DEVICE_REMOVED, "removed " + pvNames(pvs));
                parts.wake().run();
            }
            case Step.RemoveGroup _ -> parts.wake().run();
            case Step.RestoreDevices(var pvs) ->
                    event(EventReason.RAID_REPAIR, "took back " + pvNames(pvs));
            case Step.RefreshVolume(var volume) ->
                    event(EventReason.RAID_REPAIR, volume + " is synchronized again");
            case Step.RepairVolume(var volume) ->
                    event(EventReason.RAID_REPAIR, volume + " is copied to another device");
            case Step.RemoveMissing(var pvs) ->
                    event(EventReason.DEVICE_REMOVED, "gave up missing " + pvUuids(pvs));
            default -> {}
        }
    }

    private void added(List<NodeDevice> devices) {
        event(EventReason.DEVICE_ADDED, "added " + names(devices));
        parts.wake().run();
    }

    private void noteIntent(Step step) throws ApiException, InterruptedException {
        switch (step) {
            case Step.RemoveDevices(var pvs) -> parts.status().retire(uuids(pvs));
            case Step.RemoveGroup(var pvs) -> parts.status().retire(uuids(pvs));
            default -> {}
        }
    }

    /** Finishes what an earlier pass, perhaps of a killed process, was taking out. */
    private void retire() throws IOException, LvmException, ApiException, InterruptedException {
        var uuids = parts.status().retiring();
        if (uuids.isEmpty()) {
            return;
        }
        var orphans =
                parts.inventory().read().pvs().stream()
                        .filter(pv -> uuids.contains(pv.pv().uuid()))
                        .filter(pv -> pv.pv().vgName().isEmpty() && !pv.pv().missing())
                        .toList();
        runner.retire(orphans);
        if (!orphans.isEmpty()) {
            parts.inventory().invalidate();
        }
        parts.status().retired();
    }

    private Result futile(Situation s, Step step) throws ApiException, InterruptedException {
        parts.failedSteps().put(group.name(), step);
        return blocked(s, step.failure(), step.futile());
    }

    private Result blocked(Situation s, EventReason reason, String message)
            throws ApiException, InterruptedException {
        parts.raid().update(s);
        report(GroupReport.failed(s, message), reason);
        if (s.goal().raid().isEmpty()) {
            return Result.requeueAfter(BLOCKED);
        }
        parts.inventory().invalidate(); // it may wait for the end of a synchronization
        return Result.requeueAfter(RAID);
    }

    private Result ready(Situation s) throws IOException, ApiException, InterruptedException {
        try {
            tell(parts.classes().put(s.goal()), "device class written");
        } catch (IOException e) {
            reportThrown(GroupReport.failed(s, e.getMessage()), EventReason.GROUP_FAILED);
            throw e;
        }
        parts.failedSteps().forget(group.name());
        parts.raid().update(s);
        var entry = GroupReport.ready(s);
        report(entry, entry.reason().isEmpty() ? EventReason.READY : EventReason.RAID_CHECK_FAILED);
        if (s.goal().raid().isPresent()) {
            parts.inventory().invalidate();
            return Result.requeueAfter(
                    parts.raidEvents().getAsBoolean() && quiet(s) ? RESYNC : RAID);
        }
        return Result.requeueAfter(
                s.goal().discovery() == EffectiveDiscovery.RUNTIME_DYNAMIC ? DYNAMIC : RESYNC);
    }

    private static boolean quiet(Situation s) {
        return GroupReport.raid(s)
                .filter(raid -> raid.health() == RaidHealth.HEALTHY && !raid.syncing())
                .isPresent();
    }

    /** Writes the entry, and tells of it if state or reason are news. */
    private void report(VolumeGroupStatus entry, EventReason reason)
            throws ApiException, InterruptedException {
        if (news(entry)) {
            event(reason, entry.reason().isEmpty() ? "volume group is ready" : entry.reason());
        }
    }

    /** The same for a failure that ends the pass: who runs the pass writes it to the log. */
    private void reportThrown(VolumeGroupStatus entry, EventReason reason)
            throws ApiException, InterruptedException {
        if (news(entry)) {
            parts.events().record(group, reason, entry.reason());
        }
    }

    /** Writes the entry; returns whether state or reason are news. */
    private boolean news(VolumeGroupStatus entry) throws ApiException, InterruptedException {
        var before = parts.status().entry(group.name());
        parts.status().put(entry, group.object());
        boolean news =
                before.filter(b -> b.state().equals(entry.state()))
                        .filter(b -> b.reason().equals(entry.reason()))
                        .isEmpty();
        if (news) { // a group that lost a device has no room, and one that is whole has
            parts.changed().run();
        }
        return news;
    }

    private void tell(DeviceClassStore.Change change, String note) {
        var text = note + ": " + group.name();
        switch (change) {
            case NONE -> {}
            case CREATED -> event(EventReason.CONFIG_MISSING, text);
            case UPDATED -> event(EventReason.CONFIG_UPDATED, text);
            case DELETED -> event(EventReason.CONFIG_DELETED, text);
        }
    }

    private void event(EventReason reason, String note) {
        parts.events().record(group, reason, note);
        LOG.log(
                reason.warning() ? WARNING : INFO,
                () ->
                        "volume group event vg=%s reason=%s: %s"
                                .formatted(group.name(), reason.text(), note));
    }

    private static Set<String> uuids(Collection<KnownPv> pvs) {
        return pvs.stream().map(pv -> pv.pv().uuid()).collect(Collectors.toUnmodifiableSet());
    }

    private static String pvUuids(Collection<KnownPv> pvs) {
        return String.join(", ", new TreeSet<>(uuids(pvs)));
    }

    private static String names(Collection<NodeDevice> devices) {
        return devices.stream().map(NodeDevice::name).collect(Collectors.joining(", "));
    }

    private static String pvNames(Collection<KnownPv> pvs) {
        return pvs.stream().map(pv -> pv.pv().device()).collect(Collectors.joining(", "));
    }
}
