package lvms.lvm2.plan;

import lvms.lvm2.plan.FreeSpace.Run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** What the attempts of one request have found so far. */
final class Progress {
    private final List<List<PvExtents>> data = new ArrayList<>();
    private final List<List<PvExtents>> metadata = new ArrayList<>();

    /** Extents of all stripes, metadata included. */
    long allocated;

    /** Metadata areas of pools still to be found. */
    int poolsLeft;

    /** Whether the images of a RAID volume have got their metadata. */
    boolean metadataTaken;

    private long slack = Long.MAX_VALUE;

    Progress(Request request) {
        poolsLeft = request.pools();
        for (int area = 0; area < request.images() + request.pools(); area++) {
            data.add(new ArrayList<>());
            metadata.add(new ArrayList<>());
        }
    }

    /** The physical volumes of an area so far. */
    List<PvExtents> taken(int area) {
        return data.get(area);
    }

    void take(int area, Run run, long extents) {
        data.get(area).add(run.pv.layout);
        run.pv.take(run, extents);
    }

    void takeMetadata(int area, Run run, long extents) {
        metadata.get(area).add(run.pv.layout);
        run.pv.take(run, extents);
    }

    /** Notes that a request smaller by this much may be worked out differently. */
    void decidedBy(long missing) {
        if (missing >= 0) {
            slack = Math.min(slack, missing);
        }
    }

    /** A smaller request leaves more of the run, which may then come before others. */
    void decidedByRest(Run run, long rest, Request request) {
        if (request.pools() > 0) {
            decidedBy(request.metadataExtents() - rest); // then the metadata fits beside the data
        }
        if (rest > 0) {
            for (var other : run.pv.runs()) {
                if (other != run && other.count >= rest) {
                    decidedBy((other.count - rest + 1) * request.stripes());
                }
            }
        }
    }

    /** How much smaller the request may get before a decision may change. */
    long slack() {
        return slack;
    }

    /** LVM's own check afterwards: no two images of a RAID volume share a physical volume. */
    boolean isRedundant() {
        return isDisjoint(data) && isDisjoint(metadata);
    }

    private static boolean isDisjoint(List<List<PvExtents>> areas) {
        var seen = new HashSet<String>();
        for (var area : areas) {
            var own = new HashSet<String>();
            area.forEach(pv -> own.add(pv.uuid()));
            if (own.stream().anyMatch(seen::contains)) {
                return false;
            }
            seen.addAll(own);
        }
        return true;
    }
}
