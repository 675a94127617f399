package lvms.operator.resize;

/** Conditions that a claim gets while its volume grows; Kubernetes gave them their names. */
enum ResizeCondition {
    RESIZING("Resizing", "The logical volume is being extended."),
    FILESYSTEM_PENDING(
            "FileSystemResizePending",
            "The logical volume is extended; kubelet extends the filesystem when a pod uses the"
                    + " volume."),
    ERROR(
            "ControllerResizeError",
            "The volume could not be extended; the message says why. The operator tries again.");

    private final String type;
    private final String meaning;

    ResizeCondition(String type, String meaning) {
        this.type = type;
        this.meaning = meaning;
    }

    String type() {
        return type;
    }

    /** A sentence for the reference. */
    String meaning() {
        return meaning;
    }
}
