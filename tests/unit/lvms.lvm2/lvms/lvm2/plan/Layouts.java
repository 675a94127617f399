package lvms.lvm2.plan;

import lvms.lvm2.AllocationPolicy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

/** Layouts of groups that need no LVM. */
final class Layouts {
    private static final AllocationPolicy[] POLICIES = {
        AllocationPolicy.NORMAL,
        AllocationPolicy.NORMAL,
        AllocationPolicy.CONTIGUOUS,
        AllocationPolicy.CLING,
        AllocationPolicy.ANYWHERE
    };

    private Layouts() {}

    /** Runs of free extents with one used extent before each. */
    static PvExtents pv(String device, long... runs) {
        var free = new ArrayList<ExtentRun>();
        long at = 1;
        for (long run : runs) {
            free.add(new ExtentRun(at, run));
            at += run + 1;
        }
        return new PvExtents("uuid-" + device, device, true, Set.of(), free);
    }

    /** Small enough that every size can be tried. */
    static ExtentLayout random(Random random, int mostPvs, long... extentSizes) {
        var pvs = new PvExtents[1 + random.nextInt(mostPvs)];
        Arrays.setAll(
                pvs,
                i ->
                        pv(
                                "sd" + i,
                                LongStream.generate(() -> 1 + random.nextInt(12))
                                        .limit(random.nextInt(5))
                                        .toArray()));
        return new ExtentLayout(
                extentSizes[random.nextInt(extentSizes.length)],
                POLICIES[random.nextInt(POLICIES.length)],
                true,
                List.of(pvs));
    }
}
