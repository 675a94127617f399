package lvms.node.volume;

import lvms.api.Names;
import lvms.k8s.event.EventRecorder.Type;
import lvms.k8s.event.Reason;

/** Reasons of the Events on volumes; the texts are what alerts and people look for. */
enum EventReason implements Reason {
    /** A snapshot of a thick volume is no longer what it was. */
    LOST(
            Type.WARNING,
            "SnapshotLost",
            "The store of a snapshot of a thick volume overflowed, since its volume group had no"
                    + " room to let it grow. Nothing can be restored from it; delete it."),
    COPYING(
            Type.NORMAL,
            "VolumeCopying",
            "The volume waits until the content of its source is copied to it. The note says how"
                    + " far that is, once a minute."),
    COPIED(
            Type.NORMAL,
            "VolumeCopied",
            "The volume has all of the content of its source, a thick volume or a snapshot of"
                    + " one."),
    SOURCE_FORMATTED(
            Type.NORMAL,
            "SourceBeingFormatted",
            "The snapshot, restore or clone waits until the filesystem of its source is whole. If"
                    + " making that was cut short, the note says so: it is made again when a pod"
                    + " uses the source."),
    ZEROING(
            Type.NORMAL,
            "VolumeZeroing",
            "The volume waits until what was on its disks before is overwritten with zeros; so"
                    + " does the growth of a volume. The note says how far that is.");

    private final Type type;
    private final String text;
    private final String meaning;

    EventReason(Type type, String text, String meaning) {
        this.type = type;
        this.text = text;
        this.meaning = meaning;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public Type type() {
        return type;
    }

    @Override
    public String action() {
        return "ReconcileLogicalVolume";
    }

    @Override
    public String reporter() {
        return Names.VG_MANAGER;
    }

    @Override
    public String regarding() {
        return "LogicalVolume, PersistentVolumeClaim";
    }

    @Override
    public String meaning() {
        return meaning;
    }
}
