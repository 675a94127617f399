package lvms.node.condition;

import lvms.api.Names;
import lvms.k8s.event.EventRecorder.Type;
import lvms.k8s.event.Reason;

/**
 * Reasons of the Events on the condition of volumes, named as external-health-monitor names them.
 */
enum ConditionReason implements Reason {
    ABNORMAL(
            Type.WARNING,
            "VolumeConditionAbnormal",
            "Something is wrong with a volume that a pod uses; the note has LVM's words for it."),
    NORMAL(
            Type.NORMAL,
            "VolumeConditionNormal",
            "A volume that was reported as abnormal is healthy again.");

    private final Type type;
    private final String text;
    private final String meaning;

    ConditionReason(Type type, String text, String meaning) {
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
        return "CheckVolume";
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
