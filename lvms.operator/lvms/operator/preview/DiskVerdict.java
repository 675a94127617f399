package lvms.operator.preview;

import lvms.api.disk.Disk;

import java.util.List;

/**
 * What a class would do with a disk.
 *
 * @param disk the disk
 * @param kind the verdict
 * @param reasons why the class leaves it alone; empty for every other kind
 */
public record DiskVerdict(Disk disk, Kind kind, List<String> reasons) {
    public enum Kind {
        /** It is in the volume group already. */
        MEMBER("in use"),
        /** It joins the volume group. */
        TAKEN("taken"),
        /** All that is on it is destroyed, then it joins the volume group. */
        WIPED("WIPED and taken"),
        /** Nothing happens to it. */
        LEFT("left alone");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    public DiskVerdict {
        reasons = List.copyOf(reasons);
    }

    boolean is(Kind wanted) {
        return kind == wanted;
    }
}
