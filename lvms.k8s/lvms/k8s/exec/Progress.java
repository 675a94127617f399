package lvms.k8s.exec;

/** How far a copy of a folder came. One thread copies, and any thread may ask. */
final class Progress {
    private long whole;
    private String last = "";
    private String name = "";
    private long sizeBytes;
    private long movedBytes;

    synchronized void begin(String entry, long bytes) {
        name = entry;
        sizeBytes = bytes;
        movedBytes = 0;
    }

    synchronized void moved(int bytes) {
        movedBytes += bytes;
    }

    synchronized void end() {
        whole++;
        last = name;
        name = "";
    }

    /** Returns what was copied, for messages. */
    synchronized String text() {
        var copied =
                whole == 0 ? "nothing was copied" : "copied: " + whole + ", the last is " + last;
        return name.isEmpty() || sizeBytes == 0
                ? copied
                : copied
                        + "; not whole: "
                        + name
                        + ", "
                        + movedBytes
                        + " of "
                        + sizeBytes
                        + " bytes";
    }
}
