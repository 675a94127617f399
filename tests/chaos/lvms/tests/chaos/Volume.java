package lvms.tests.chaos;

import lvms.tests.chaos.Journal.Chapter;
import lvms.tests.cluster.workload.Product;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A claim of the world, and what its volume must hold. What its pod told may be noted by any
 * thread, the rest is for one.
 */
final class Volume {
    private final String name;
    private final Kind kind;
    private final Optional<Source> source;
    private final List<Chapter> ancestors;
    private final boolean pod;
    private int mib;
    private long synced;
    private boolean settled;

    /** What a volume can be. */
    enum Kind {
        THIN(Product.THIN_CLASS, 320, false),
        THICK(Product.THICK_CLASS, 32, false),
        THIN_BLOCK(Product.THIN_CLASS, 16, true),
        THICK_BLOCK(Product.THICK_CLASS, 16, true);

        private final String storageClass;
        private final int mib;
        private final boolean block;

        Kind(String storageClass, int mib, boolean block) {
            this.storageClass = storageClass;
            this.mib = mib;
            this.block = block;
        }

        String storageClass() {
            return storageClass;
        }

        boolean block() {
            return block;
        }

        boolean thin() {
            return this == THIN || this == THIN_BLOCK;
        }
    }

    /** What it is a copy of: a claim or a snapshot. */
    record Source(boolean snapshot, String name) {}

    private Volume(
            String name,
            Kind kind,
            int mib,
            Optional<Source> source,
            List<Chapter> ancestors,
            boolean pod) {
        this.name = name;
        this.kind = kind;
        this.mib = mib;
        this.source = source;
        this.ancestors = List.copyOf(ancestors);
        this.pod = pod;
    }

    static Volume fresh(String name, Kind kind, boolean pod) {
        return new Volume(name, kind, kind.mib, Optional.empty(), List.of(), pod);
    }

    /** A volume that begins as a copy, with a pod. */
    static Volume copy(String name, Source source, Kind kind, int mib, List<Chapter> content) {
        return new Volume(name, kind, mib, Optional.of(source), content, true);
    }

    String name() {
        return name;
    }

    Kind kind() {
        return kind;
    }

    int mib() {
        return mib;
    }

    Optional<Source> source() {
        return source;
    }

    /** Returns whether a pod writes to it. */
    boolean pod() {
        return pod;
    }

    /** Returns whether it was there, with its size, when all was quiet last. */
    boolean settled() {
        return settled;
    }

    void settle() {
        settled = true;
    }

    /** Returns its next size in MiB. */
    int grow() {
        mib += kind.mib;
        return mib;
    }

    /** Notes that so many lines of its own are synced for certain. */
    synchronized void told(long lines) {
        synced = Math.max(synced, lines);
    }

    /** Returns what it must hold at least. */
    synchronized List<Chapter> content() {
        var chapters = new ArrayList<>(ancestors);
        chapters.add(new Chapter(name, synced));
        return chapters;
    }

    /** Returns what is wrong with these lines; notes how many are there. */
    List<String> compare(List<String> lines) {
        var problems = Journal.compare(content(), lines);
        told(Journal.own(name, lines));
        return problems.stream().map(problem -> name + " (" + kind + "): " + problem).toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
