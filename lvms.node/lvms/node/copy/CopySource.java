package lvms.node.copy;

/** What a new volume is filled with; it is in the same group. */
public sealed interface CopySource {
    /** Returns its name in LVM. */
    String lv();

    /** A snapshot of a thick volume, which does not change. */
    record Snapshot(String lv) implements CopySource {}

    /**
     * A thick volume that may be in use. It is copied from a snapshot of its own, which goes when
     * the copy is done.
     *
     * @param storeBytes room for that snapshot at first
     */
    record Volume(String lv, long storeBytes) implements CopySource {}
}
