package lvms.node.volume;

import lvms.api.Names;
import lvms.k8s.event.EventRecorder.Type;
import lvms.k8s.event.Reason;

/** Reasons of the Events on volumes; the texts are what alerts and people look for. */
enum EventReason implements Reason {
    ZEROING(
            "VolumeZeroing",
            "The volume waits until what was on its disks before is overwritten with zeros; so"
                    + " does the growth of a volume. The note says how far that is.");

    private final String text;
    private final String meaning;

    EventReason(String text, String meaning) {
        this.text = text;
        this.meaning = meaning;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public Type type() {
        return Type.NORMAL;
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
