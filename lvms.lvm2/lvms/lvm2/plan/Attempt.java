package lvms.lvm2.plan;

import lvms.lvm2.plan.FreeSpace.Pv;
import lvms.lvm2.plan.FreeSpace.Run;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * One search for parallel areas, each on a run of extents: under one policy, for at most a given
 * number of extents. It reserves runs, and takes them if there is one for every area.
 *
 * <p>The order of all steps is LVM's ({@code _find_some_parallel_space}), since the result depends
 * on it.
 */
final class Attempt {
    private final Request request;
    private final Pass pass;
    private final Progress progress;
    private final FreeSpace space;
    private final ClingTags tags;
    private final long most;
    private Slot[] slots = new Slot[16];
    private int found;
    private int preferred;
    private int positional;
    private boolean forMetadata;

    /** A part of a run that is meant for an area. */
    private record Slot(Run run, long used) {}

    private enum Use {
        NEXT_PV,
        NEXT_RUN,
        PREFERRED,
        SORTED
    }

    Attempt(Request request, Pass pass, Progress progress, FreeSpace space, long most) {
        this.request = request;
        this.pass = pass;
        this.progress = progress;
        this.space = space;
        this.most = most;
        tags = new ClingTags(request.settings().clingTags());
    }

    /** Takes as much as one set of runs gives; nothing if some area has no run. */
    void run() throws NoRoom {
        space.release();
        positional = pass.positionalAreas(request);
        int needed = request.images() + progress.poolsLeft;
        int before;
        do {
            before = found;
            for (var pv : space.pvs()) {
                if (!pv.isFull()) {
                    look(pv);
                    if (enough(needed)) {
                        break;
                    }
                }
            }
        } while (again(before, needed));
        if (found + preferred >= needed) {
            choose();
        }
    }

    private boolean enough(int needed) {
        return pass.policy() == Policy.ANYWHERE && found + positional >= needed
                || preferred == positional && positional == needed;
    }

    private boolean again(int before, int needed) {
        if (pass.policy() == Policy.ANYWHERE) {
            return before != found && found < needed;
        }
        boolean onlyMetadataIsLeft =
                pass.policy() == Policy.NORMAL
                        && preferred == positional
                        && !request.settings().poolMetadataApart()
                        && found + preferred >= request.images()
                        && found + preferred < needed
                        && !forMetadata;
        forMetadata |= onlyMetadataIsLeft;
        return onlyMetadataIsLeft;
    }

    private void look(Pv pv) {
        if (forMetadata && pass.policy() != Policy.ANYWHERE && isSetAsideForMetadata(pv)) {
            return;
        }
        boolean foundHere = false;
        for (var run = pv.first(); run != null; run = pv.after(run)) {
            switch (check(run, foundHere)) {
                case NEXT_RUN -> {
                    continue;
                }
                case NEXT_PV -> {
                    return;
                }
                case PREFERRED -> {
                    preferred++;
                    return;
                }
                case SORTED -> {
                    if (!foundHere || pass.policy() == Policy.ANYWHERE) {
                        found++;
                        foundHere = true;
                    }
                    setAside(run, found + positional - 1);
                }
            }
        }
    }

    private boolean isSetAsideForMetadata(Pv pv) {
        for (int s = request.images(); s < found + positional; s++) {
            if (slot(s) != null && slot(s).run().pv == pv) {
                return true;
            }
        }
        return false;
    }

    private Use check(Run run, boolean foundHere) {
        if (run.unreserved == 0) {
            return Use.NEXT_RUN;
        }
        if (!forMetadata && pass.looksAtPlaces()) {
            return placed(run);
        }
        long missing = most - run.unreserved * request.stripes();
        progress.decidedBy(missing);
        boolean mustBeWhole = !pass.maySplit() && request.pools() == 0;
        boolean mayBePart = !mustBeWhole && !(foundHere && pass.policy() != Policy.ANYWHERE);
        return missing > 0 && !mayBePart ? Use.NEXT_PV : fits();
    }

    private Use fits() {
        return pass.positional() ? Use.PREFERRED : Use.SORTED;
    }

    /** Judges a run by where the volume is so far. */
    private Use placed(Run run) {
        boolean follows = request.settings().maximiseCling() && pass.countMatches();
        if ((pass.continues() || follows) && continues(run)) {
            return fits();
        }
        if (pass.continues()) {
            return Use.NEXT_RUN;
        }
        if ((pass.clingsToVolume() || follows) && clingsToVolume(run, false)
                || pass.clingsToTaken() && clingsToTaken(run, false)) {
            return fits();
        }
        if (pass.policy() != Policy.CLING_BY_TAGS || tags.isEmpty()) {
            return Use.NEXT_PV;
        }
        boolean sameTag =
                pass.countMatches() ? clingsToVolume(run, true) : clingsToTaken(run, true);
        return sameTag ? fits() : Use.NEXT_PV;
    }

    private boolean continues(Run run) {
        var last = request.grown().last();
        for (int s = 0; s < last.size(); s++) {
            boolean adjacent =
                    last.get(s).pv().uuid().equals(run.pv.uuid())
                            && last.get(s).endExtent() == run.start;
            if (isFreePlace(s) && adjacent) {
                return preferFor(s, run);
            }
        }
        return false;
    }

    private boolean clingsToVolume(Run run, boolean byTag) {
        var first = request.grown().first();
        for (int s = 0; s < first.size(); s++) {
            if (isFreePlace(s) && isNear(run.pv, first.get(s).pv(), byTag)) {
                return preferFor(s, run);
            }
        }
        return false;
    }

    private boolean clingsToTaken(Run run, boolean byTag) {
        if (progress.poolsLeft > 0) {
            return false; // metadata comes with the first data, so nothing is taken yet
        }
        for (int s = 0; s < request.areas(); s++) {
            if (isFreePlace(s)
                    && progress.taken(s).stream().anyMatch(pv -> isNear(run.pv, pv, byTag))) {
                return preferFor(s, run);
            }
        }
        return false;
    }

    private boolean isNear(Pv pv, PvExtents other, boolean byTag) {
        return byTag ? tags.match(pv.tags(), other.tags()) : pv.uuid().equals(other.uuid());
    }

    private boolean isFreePlace(int s) {
        return !pass.positional() || slot(s) == null;
    }

    private boolean preferFor(int s, Run run) {
        if (pass.positional()) {
            if (s >= positional) {
                return false;
            }
            put(s, new Slot(run, run.count));
            progress.decidedBy(most - run.count * request.stripes());
        }
        return true;
    }

    private void setAside(Run run, int index) {
        long wanted = most / request.stripes();
        boolean metadata = pass.policy() == Policy.ANYWHERE && index >= request.images();
        if (metadata) {
            wanted = request.metadataExtents();
        } else if (pass.policy() != Policy.ANYWHERE) {
            wanted = Math.max(wanted, request.metadataExtents());
        }
        long used = Math.min(wanted, run.unreserved);
        progress.decidedBy(most - run.unreserved * request.stripes());
        progress.decidedByRest(run, run.unreserved - used, request);
        run.pv.reserve(run, used);
        put(index, new Slot(run, used));
    }

    private Slot slot(int s) {
        return s < slots.length ? slots[s] : null;
    }

    private void put(int s, Slot slot) {
        if (s >= slots.length) {
            slots = Arrays.copyOf(slots, Math.max(s + 1, slots.length * 2));
        }
        slots[s] = slot;
    }

    /**
     * Which of the runs become areas: the largest first, and metadata of a pool on the smallest.
     */
    private void choose() throws NoRoom {
        int from = forMetadata ? request.images() : positional;
        int to = positional + found;
        if (to - from > 1) {
            Arrays.sort(slots, from, to, Comparator.comparingLong(Slot::used).reversed());
        }
        fillGaps();
        int metadataAt = metadataAt();
        if (metadataAt < 0 || found + positional < request.images()) {
            return;
        }
        if (pass.oneAreaPerTag(tags) && positional == 0) {
            dropSameTags(metadataAt);
            metadataAt = metadataAt();
            if (metadataAt < progress.poolsLeft * request.images()
                    || found < request.images() + progress.poolsLeft) {
                return;
            }
        }
        take(metadataAt);
        progress.poolsLeft = 0;
    }

    private void fillGaps() {
        if (preferred == 0 || preferred == positional) {
            return;
        }
        for (int s = 0; s < request.images(); s++) {
            if (slot(s) == null) {
                put(s, slot(positional));
                put(positional++, null);
            }
        }
    }

    /** Where the pool's metadata goes, on the smallest run that holds it; negative if nowhere. */
    private int metadataAt() {
        if (progress.poolsLeft == 0) {
            return 0;
        }
        int tooSmall = 0;
        int all = positional + found;
        while (tooSmall < all && isTooSmall(slot(all - 1 - tooSmall))) {
            tooSmall++;
        }
        boolean onlyBesideData = tooSmall > 0 && tooSmall >= request.images();
        return request.settings().poolMetadataApart() && onlyBesideData
                ? -1
                : all - request.pools() - tooSmall;
    }

    private boolean isTooSmall(Slot slot) {
        return slot != null && slot.used() < request.metadataExtents();
    }

    private void dropSameTags(int metadataAt) {
        Set<String> seen = new HashSet<>();
        int kept = 0;
        int all = found;
        for (int s = 0; s < all; s++) {
            if (progress.poolsLeft > 0 && kept == metadataAt) {
                seen.clear();
            }
            if (tags.match(slot(s).run().pv.tags(), seen)) {
                found--;
            } else {
                seen.addAll(slot(s).run().pv.tags());
                put(kept++, slot(s));
            }
        }
        put(kept, null);
    }

    private void take(int metadataAt) throws NoRoom {
        int images = request.images();
        long length = most / request.stripes();
        for (int s = 0; s < images; s++) {
            length = Math.min(length, slot(s) == null ? 0 : slot(s).used());
        }
        boolean splits = request.raidMetadata() && !progress.metadataTaken;
        for (int s = 0; s < images; s++) {
            takeArea(s, splits, length);
        }
        for (int i = 0; i < progress.poolsLeft; i++) {
            takePoolMetadata(images + i, slot(metadataAt + i).run());
        }
        progress.metadataTaken |= request.raidMetadata();
        progress.allocated += length * request.stripes();
    }

    /**
     * The data may just have got the same run. LVM does not notice that too little of it is left.
     * Versions 2.03.16 to 2.03.33 end with a failed assertion, or find extents used twice ("PV
     * segments corrupted").
     */
    private void takePoolMetadata(int area, Run run) throws NoRoom {
        if (!run.isLeft() || run.count < request.metadataExtents()) {
            throw new NoRoom();
        }
        progress.take(area, run, request.metadataExtents());
    }

    private void takeArea(int s, boolean splits, long length) throws NoRoom {
        if (slot(s) == null) {
            throw new NoRoom();
        }
        var run = slot(s).run();
        long data = length;
        if (splits) {
            if (request.metadataExtents() > run.count || request.metadataExtents() > length) {
                throw new NoRoom(); // metadata of an image must be in one piece
            }
            progress.takeMetadata(s, run, request.metadataExtents());
            data -= request.metadataExtents();
        }
        if (data > 0) {
            progress.take(s, run, data);
        }
    }
}
