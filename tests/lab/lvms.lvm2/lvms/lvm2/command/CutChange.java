package lvms.lvm2.command;

import lvms.lvm2.LvName;
import lvms.lvm2.LvcreateOptions;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewSnapshot;
import lvms.lvm2.NewThickSnapshot;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewThinVolume;
import lvms.lvm2.Now;

import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A change of the group whose commands are cut.
 *
 * @param volume the volume it makes, grows or removes, or whose store it grows
 * @param source of a snapshot; else empty
 * @param sizeBytes the volume's size afterwards; 0 if it is removed
 */
record CutChange(Kind kind, String volume, String source, long sizeBytes) {
    static final String VG = "cut-vg";
    static final String POOL = "pool";

    /** What can be done to a volume. */
    enum Kind {
        THIN,
        THICK,
        SNAPSHOT,
        EXTEND,
        THICK_SNAPSHOT,
        STORE,
        REMOVE
    }

    /** Makes it by one call of the library. */
    void make(Lvm lvm) throws LvmException, InterruptedException {
        var name = new LvName(VG, volume);
        switch (kind) {
            case THIN ->
                    lvm.volumes().createThin(new NewThinVolume(name, POOL, sizeBytes, Set.of("t")));
            case THICK -> {
                var made = lvm.volumes().createThick(thick(name));
                if (made.created().isPresent()) { // it was there: perhaps not wiped
                    lvm.volumes().wipeSignatures(made.identity());
                }
            }
            case SNAPSHOT ->
                    lvm.snapshots().createThin(new NewSnapshot(name, source, true, Set.of("s")));
            case THICK_SNAPSHOT ->
                    lvm.snapshots()
                            .createThick(
                                    new NewThickSnapshot(
                                            name, source, sizeBytes, true, Set.of("s")));
            case STORE -> lvm.snapshots().growStore(Now.volume(lvm, name), sizeBytes);
            case EXTEND -> lvm.volumes().extend(Now.volume(lvm, name), sizeBytes);
            case REMOVE -> lvm.volumes().remove(Now.volume(lvm, name));
        }
    }

    private NewThickVolume thick(LvName name) {
        return new NewThickVolume(
                name,
                sizeBytes,
                Set.of("k"),
                OptionalInt.empty(),
                OptionalLong.empty(),
                LvcreateOptions.NONE);
    }

    /** Returns it as a line for another process. */
    String line() {
        return String.join(
                " ", kind.name(), volume, source.isEmpty() ? "-" : source, "" + sizeBytes);
    }

    static CutChange of(String line) {
        var words = line.split(" ");
        return new CutChange(
                Kind.valueOf(words[0]),
                words[1],
                words[2].equals("-") ? "" : words[2],
                Long.parseLong(words[3]));
    }
}
