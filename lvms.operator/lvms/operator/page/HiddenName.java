package lvms.operator.page;

import java.util.regex.Pattern;

/**
 * A name of a logical volume as LVM has it on its disks, and the volume that people know it by. LVM
 * reserves the endings, so no volume of a person has one.
 *
 * @param owner the visible volume, such as {@code pool} of {@code pool_tdata_rimage_0}
 * @param part what of it this is
 */
record HiddenName(String owner, Part part) {
    /** What a run of extents is for. */
    enum Part {
        /** Content of a volume. */
        DATA("data"),
        /** What LVM itself notes: of a thin pool, of a RAID image, a log. */
        METADATA("metadata"),
        /** Content on its way to another disk. */
        MOVING("being moved by pvmove");

        private final String text;

        Part(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    private static final Pattern ENDING =
            Pattern.compile(
                    "(.+)_(tdata|tmeta|[rm]image(?:_\\d+)?|rmeta_\\d+|mlog|mimagetmp_\\d+|cdata"
                            + "|cmeta|cvol|corig|vdata|vorigin|wcorig|iorig|imeta|cow|pmspare)"
                            + "(?:_extracted)?");
    private static final Pattern MOVE = Pattern.compile("pvmove\\d+(_.*)?");
    private static final String SPARE = "_pmspare";

    static HiddenName of(String name) {
        if (MOVE.matcher(name).matches()) {
            return new HiddenName(name.replaceFirst("_.*", ""), Part.MOVING);
        }
        if (name.endsWith(SPARE)) {
            return new HiddenName(name, Part.METADATA);
        }
        var part = Part.DATA;
        var owner = name;
        for (var m = ENDING.matcher(owner); m.matches(); m = ENDING.matcher(owner)) {
            owner = m.group(1);
            if (m.group(2).matches("tmeta|rmeta_\\d+|mlog|cmeta|imeta")) {
                part = Part.METADATA;
            }
        }
        return new HiddenName(owner, part);
    }
}
