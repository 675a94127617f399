package lvms.node.vgmanager;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.LvmVolumeGroup;
import lvms.api.VolumeGroupStatus;
import lvms.k8s.client.ApiException;
import lvms.node.vgmanager.plan.EventReason;

/**
 * Reports what becomes of a volume group: its entry in the node status, Events, and the log.
 *
 * @param status the node status
 * @param events the Events
 * @param capacityChanged called if the state changed: a group that lost a device has no room
 */
record GroupReporter(NodeStatus status, VolumeGroupEvents events, Runnable capacityChanged) {
    private static final System.Logger LOG = System.getLogger(GroupReporter.class.getName());

    /** Writes the entry of a group that is being worked on; that alone is not worth an Event. */
    void progressing(LvmVolumeGroup group, VolumeGroupStatus entry)
            throws ApiException, InterruptedException {
        status.put(entry, group.object());
    }

    /** Writes the entry at the end of a pass, and an Event if state or reason changed. */
    void ended(LvmVolumeGroup group, VolumeGroupStatus entry, EventReason reason)
            throws ApiException, InterruptedException {
        if (changed(group, entry)) {
            event(
                    group,
                    reason,
                    entry.reason().isEmpty() ? "volume group is ready" : entry.reason());
        }
    }

    /** The same for a failure that ends the pass: the controller that runs it writes the log. */
    void thrown(LvmVolumeGroup group, VolumeGroupStatus entry, EventReason reason)
            throws ApiException, InterruptedException {
        if (changed(group, entry)) {
            events.record(group, reason, entry.reason());
        }
    }

    /** Records an Event, and logs the same. */
    void event(LvmVolumeGroup group, EventReason reason, String note) {
        events.record(group, reason, note);
        LOG.log(
                reason.warning() ? WARNING : INFO,
                () ->
                        "volume group event vg=%s reason=%s: %s"
                                .formatted(group.volumeGroup(), reason.text(), note));
    }

    /** Writes the entry; returns whether its state or reason differ from the last one. */
    private boolean changed(LvmVolumeGroup group, VolumeGroupStatus entry)
            throws ApiException, InterruptedException {
        var before = status.entry(group.name());
        status.put(entry, group.object());
        boolean changed =
                before.filter(b -> b.state().equals(entry.state()))
                        .filter(b -> b.reason().equals(entry.reason()))
                        .isEmpty();
        if (changed) {
            capacityChanged.run();
        }
        return changed;
    }
}
