package lvms.lvm2.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * The free extents of all physical volumes while one request is worked out, in the order in which
 * LVM tries them: physical volumes as in the metadata, on each the largest run first.
 */
final class FreeSpace {
    private final List<Pv> pvs = new ArrayList<>();

    FreeSpace(List<PvExtents> layout) {
        for (var extents : layout) {
            pvs.add(new Pv(extents));
        }
    }

    List<Pv> pvs() {
        return pvs;
    }

    long extents() {
        return pvs.stream().mapToLong(Pv::extents).sum();
    }

    /** The physical volumes with what is left of them. */
    List<PvExtents> layout() {
        return pvs.stream().map(Pv::left).toList();
    }

    /** Forgets what was set aside, but not what was taken. */
    void release() {
        pvs.forEach(Pv::release);
    }

    /** A run; a part of it may be set aside for an area of the current attempt. */
    static final class Run {
        final Pv pv;
        long start;
        long count;
        long unreserved;

        private Run(Pv pv, ExtentRun run) {
            this.pv = pv;
            start = run.start();
            count = run.extents();
            unreserved = count;
        }

        /** Whether some of it is left. */
        boolean isLeft() {
            return pv.runs.contains(this);
        }
    }

    /** One physical volume. */
    static final class Pv {
        final PvExtents layout;
        private final List<Run> runs = new ArrayList<>();

        private Pv(PvExtents layout) {
            this.layout = layout;
            for (var run : layout.free()) {
                insert(new Run(this, run), run.extents());
            }
        }

        String uuid() {
            return layout.uuid();
        }

        Set<String> tags() {
            return layout.tags();
        }

        private PvExtents left() {
            var free =
                    runs.stream()
                            .map(run -> new ExtentRun(run.start, run.count))
                            .sorted(Comparator.comparingLong(ExtentRun::start))
                            .toList();
            return new PvExtents(
                    layout.uuid(), layout.device(), layout.allocatable(), layout.tags(), free);
        }

        boolean isFull() {
            return runs.isEmpty();
        }

        Run first() {
            return runs.getFirst();
        }

        List<Run> runs() {
            return runs;
        }

        /** The run after this one, which may just have changed its place; null at the end. */
        Run after(Run run) {
            int next = runs.indexOf(run) + 1;
            return next < runs.size() ? runs.get(next) : null;
        }

        long extents() {
            return runs.stream().mapToLong(run -> run.count).sum();
        }

        /** Compares with the whole length of the other runs, even of those partly set aside. */
        private void insert(Run run, long size) {
            int place = 0;
            while (place < runs.size() && size <= runs.get(place).count) {
                place++;
            }
            runs.add(place, run);
        }

        /** Sets extents of a run aside; the rest takes its place by its new size. */
        void reserve(Run run, long extents) {
            run.unreserved -= extents;
            if (run.unreserved > 0) {
                runs.remove(run);
                insert(run, run.unreserved);
            }
        }

        private void release() {
            for (var run = isFull() ? null : first(); run != null; run = after(run)) {
                if (run.unreserved != run.count) {
                    run.unreserved = run.count;
                    runs.remove(run);
                    insert(run, run.count);
                }
            }
        }

        void take(Run run, long extents) {
            runs.remove(run);
            if (extents < run.count) {
                run.start += extents;
                run.count -= extents;
                run.unreserved = run.count;
                insert(run, run.count);
            }
        }
    }
}
