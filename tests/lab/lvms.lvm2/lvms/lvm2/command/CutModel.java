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
     * @param stamp what its first bytes say; empty if they are a filesystem's
     */
    record Volume(boolean thin, long sizeBytes, String stamp) {
        Volume withSize(long bytes) {
            return new Volume(thin, bytes, stamp);
        }

        Volume withStamp(String text) {
            return new Volume(thin, sizeBytes, text);
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
            case EXTEND -> all.put(name, volumes.get(name).withSize(change.sizeBytes()));
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

    /** Draws the next change: creations, growth, snapshots and removals come equally often. */
    CutChange next(Random random) {
        var kinds = new ArrayList<CutChange.Kind>();
        if (volumes.size() < MOST) {
            kinds.add(random.nextBoolean() ? CutChange.Kind.THIN : CutChange.Kind.THICK);
            kinds.add(CutChange.Kind.SNAPSHOT);
        }
        if (volumes.size() > 2) {
            kinds.add(CutChange.Kind.REMOVE);
        }
        if (volumes.values().stream().anyMatch(v -> v.sizeBytes() < LARGEST)) {
            kinds.add(CutChange.Kind.EXTEND);
        }
        return change(kinds.get(random.nextInt(kinds.size())), random);
    }

    CutChange change(CutChange.Kind kind, Random random) {
        var fresh = "v" + made;
        return switch (kind) {
            case THIN, THICK -> new CutChange(kind, fresh, "", (1 + random.nextInt(8)) * 4 * MIB);
            case SNAPSHOT -> {
                var source = any(random, entry -> entry.getValue().thin());
                yield new CutChange(kind, fresh, source, volumes.get(source).sizeBytes());
            }
            case EXTEND -> {
                var name = any(random, entry -> entry.getValue().sizeBytes() < LARGEST);
                long size = volumes.get(name).sizeBytes() + (1 + random.nextInt(4)) * 4 * MIB;
                yield new CutChange(kind, name, "", size);
            }
            case REMOVE ->
                    new CutChange(kind, any(random, e -> !e.getKey().equals(MOUNTED)), "", 0);
        };
    }

    private String any(Random random, Predicate<Map.Entry<String, Volume>> which) {
        List<String> names =
                volumes.entrySet().stream().filter(which).map(Map.Entry::getKey).toList();
        return names.get(random.nextInt(names.size()));
    }
}
