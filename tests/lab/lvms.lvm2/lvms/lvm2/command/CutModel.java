package lvms.lvm2.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What the group must hold: the volumes by name, the pool aside.
 *
 * @param made how many volumes were ever made; gives the next one its name
 */
record CutModel(SortedMap<String, Volume> volumes, int made) {
    /** The volume with a filesystem that is in use all the time. */
    static final String MOUNTED = "mounted";

    private static final long MIB = 1L << 20;
    private static final int MOST = 7;
    private static final long LARGEST = 192 * MIB;

    /**
     * A volume.
     *
     * @param sizeBytes of its store, if it is a thick snapshot
     * @param stamp what its first bytes say; empty if they are a filesystem's
     * @param origin of a thick snapshot; else empty
     */
    record Volume(boolean thin, long sizeBytes, String stamp, String origin) {
        Volume(boolean thin, long sizeBytes, String stamp) {
            this(thin, sizeBytes, stamp, "");
        }

        Volume withSize(long bytes) {
            return new Volume(thin, bytes, stamp, origin);
        }

        Volume withStamp(String text) {
            return new Volume(thin, sizeBytes, text, origin);
        }

        boolean isThickSnapshot() {
            return !origin.isEmpty();
        }

        /** Its own extents, and so a volume that a thick snapshot can be taken of. */
        boolean isThick() {
            return !thin && !isThickSnapshot();
        }
    }

    static CutModel start() {
        return new CutModel(new TreeMap<>(Map.of(MOUNTED, new Volume(true, 64 * MIB, ""))), 0);
    }

    /** Returns the model when a change is made. */
    CutModel after(CutChange change) {
        var all = new TreeMap<>(volumes);
        var name = change.volume();
        boolean creates = !volumes.containsKey(name);
        switch (change.kind()) {
            case THIN, THICK ->
                    all.put(
                            name,
                            new Volume(
                                    change.kind() == CutChange.Kind.THIN,
                                    change.sizeBytes(),
                                    name));
            case SNAPSHOT -> all.put(name, volumes.get(change.source()));
            case THICK_SNAPSHOT -> {
                var source = volumes.get(change.source());
                var taken = new Volume(false, change.sizeBytes(), source.stamp(), change.source());
                all.put(name, taken);
            }
            case EXTEND, STORE -> all.put(name, volumes.get(name).withSize(change.sizeBytes()));
            case REMOVE -> all.remove(name);
        }
        return new CutModel(all, creates ? made + 1 : made);
    }

    /** Returns the model with another text at the start of a volume. */
    CutModel stamped(String name, String text) {
        var all = new TreeMap<>(volumes);
        all.put(name, volumes.get(name).withStamp(text));
        return new CutModel(all, made);
    }

    /** Draws the next change, of those that there can be. */
    CutChange next(Random random) {
        var kinds = new ArrayList<CutChange.Kind>();
        if (volumes.size() < MOST) {
            kinds.add(random.nextBoolean() ? CutChange.Kind.THIN : CutChange.Kind.THICK);
            kinds.add(CutChange.Kind.SNAPSHOT);
            if (has(Volume::isThick)) {
                kinds.add(CutChange.Kind.THICK_SNAPSHOT);
            }
        }
        if (volumes.entrySet().stream().anyMatch(this::storeGrows)) {
            kinds.add(CutChange.Kind.STORE);
        }
        if (volumes.size() > 2) {
            kinds.add(CutChange.Kind.REMOVE);
        }
        if (volumes.entrySet().stream().anyMatch(this::grows)) {
            kinds.add(CutChange.Kind.EXTEND);
        }
        return change(kinds.get(random.nextInt(kinds.size())), random);
    }

    private boolean has(Predicate<Volume> which) {
        return volumes.values().stream().anyMatch(which);
    }

    /** One that is mounted grows only without thick snapshots. */
    private boolean grows(Map.Entry<String, Volume> entry) {
        var volume = entry.getValue();
        return !volume.isThickSnapshot()
                && !(entry.getKey().equals(MOUNTED) && isThickOrigin(entry.getKey()))
                && volume.sizeBytes() < LARGEST;
    }

    private boolean isThickOrigin(String name) {
        return has(volume -> volume.origin().equals(name));
    }

    /** LVM lets no store grow beyond what its volume needs. */
    private boolean storeGrows(Map.Entry<String, Volume> entry) {
        var volume = entry.getValue();
        return volume.isThickSnapshot()
                && volume.sizeBytes() < volumes.get(volume.origin()).sizeBytes();
    }

    /** It is not in use, and has no snapshots that LVM would remove with it. */
    private boolean goes(Map.Entry<String, Volume> entry) {
        var name = entry.getKey();
        return !name.equals(MOUNTED) && !isThickOrigin(name);
    }

    CutChange change(CutChange.Kind kind, Random random) {
        var fresh = "v" + made;
        return switch (kind) {
            case THIN, THICK -> new CutChange(kind, fresh, "", (2 + random.nextInt(7)) * 4 * MIB);
            case SNAPSHOT -> {
                var source = any(random, entry -> entry.getValue().thin());
                yield new CutChange(kind, fresh, source, volumes.get(source).sizeBytes());
            }
            case EXTEND -> {
                var name = any(random, this::grows);
                long size = volumes.get(name).sizeBytes() + (1 + random.nextInt(4)) * 4 * MIB;
                yield new CutChange(kind, name, "", size);
            }
            case THICK_SNAPSHOT -> {
                var source = any(random, entry -> entry.getValue().isThick());
                yield new CutChange(kind, fresh, source, 4 * MIB);
            }
            case STORE -> {
                var name = any(random, this::storeGrows);
                yield new CutChange(kind, name, "", volumes.get(name).sizeBytes() + 4 * MIB);
            }
            case REMOVE -> new CutChange(kind, any(random, this::goes), "", 0);
        };
    }

    private String any(Random random, Predicate<Map.Entry<String, Volume>> which) {
        List<String> names =
                volumes.entrySet().stream().filter(which).map(Map.Entry::getKey).toList();
        return names.get(random.nextInt(names.size()));
    }
}
