package lvms.lvm2;

/**
 * Name of a logical volume with its volume group, in the characters that LVM allows. It may be a
 * name that LVM reserves, since reports also name hidden volumes; {@link Grammar#requireLvName}
 * refuses those before anything is changed.
 *
 * @param vg name of the volume group
 * @param lv name of the logical volume in it
 */
public record LvName(String vg, String lv) implements Comparable<LvName> {
    /** Refuses what cannot be a name in any LVM report. */
    public LvName {
        Grammar.requireVgName(vg);
        Grammar.requireName("logical volume", lv);
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
