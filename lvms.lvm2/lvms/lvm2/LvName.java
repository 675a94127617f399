package lvms.lvm2;

/**
 * Name of a logical volume with its volume group. The constructor does not judge the names, since
 * reports also name hidden volumes; {@link Grammar} does before a command is run.
 *
 * @param vg name of the volume group
 * @param lv name of the logical volume in it
 */
public record LvName(String vg, String lv) implements Comparable<LvName> {
    /** Refuses empty names and names with a slash or white space. */
    public LvName {
        requireWord(vg);
        requireWord(lv);
    }

    private static void requireWord(String name) {
        if (name.isEmpty() || name.chars().anyMatch(c -> c == '/' || c <= ' ')) {
            throw new IllegalArgumentException("not a name of LVM: \"" + name + '"');
        }
    }

    @Override
    public int compareTo(LvName other) {
        int byGroup = vg.compareTo(other.vg);
        return byGroup != 0 ? byGroup : lv.compareTo(other.lv);
    }

    /** Returns {@code vg/lv}, as LVM's commands take it. */
    @Override
    public String toString() {
        return vg + '/' + lv;
    }
}
