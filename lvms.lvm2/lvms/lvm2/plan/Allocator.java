package lvms.lvm2.plan;

import lvms.lvm2.AllocationPolicy;

import java.util.List;

/**
 * LVM's allocator ({@code _allocate} in lv_manip.c) on a copy of the free extents. Written from how
 * LVM 2.03.16 and 2.03.33 behave, and compared with 2.03.16 by a property test.
 */
final class Allocator {
    private final Request request;
    private final FreeSpace space;
    private final Progress progress;
    private long lastTaken;

    private Allocator(Request request, List<PvExtents> usable) {
        this.request = request;
        space = new FreeSpace(usable);
        progress = new Progress(request);
    }

    /**
     * How a request went.
     *
     * @param complete whether LVM would have made the volume
     * @param allocated how many extents of the volume it found, metadata not counted
     * @param slack how much smaller the request may get before anything but its end may change
     * @param left what it left of each physical volume
     */
    record Result(boolean complete, long allocated, long slack, FreeSpace left) {
        /** Nothing was asked for. */
        static Result unchanged(List<PvExtents> usable) {
            return new Result(true, 0, 0, new FreeSpace(usable));
        }

        /** The same as a failure that says nothing about other sizes. */
        Result failed() {
            return new Result(false, 0, 0, left);
        }

        /** The same as a failure that smaller sizes share while their metadata is the same. */
        Result impossible() {
            return lacking(Long.MAX_VALUE);
        }

        /** The same as a failure that is shared by sizes smaller by less than this. */
        Result lacking(long extents) {
            return new Result(false, 0, extents, left);
        }

        /** What is free now. */
        List<PvExtents> layout() {
            return left.layout();
        }

        long leftExtents() {
            return left.extents();
        }

        /** Devices without a free extent. */
        List<String> full() {
            return left.pvs().stream()
                    .filter(FreeSpace.Pv::isFull)
                    .map(pv -> pv.layout.device())
                    .toList();
        }
    }

    static Result allocate(Request request, List<PvExtents> usable) {
        return new Allocator(request, usable).run();
    }

    private Result run() {
        try {
            boolean complete = !space.pvs().isEmpty() && !isTooFewApart() && allPolicies();
            if (complete && !isRedundantEnough()) {
                return result(false, 0, Math.min(progress.slack(), lastTaken));
            }
            long metadata = progress.metadataTaken ? request.metadataExtents() : 0;
            long found = progress.allocated - metadata * request.stripes();
            return result(complete, found, progress.slack());
        } catch (NoRoom e) {
            return result(false, 0, 0);
        }
    }

    private Result result(boolean complete, long allocated, long slack) {
        return new Result(complete, allocated, slack, space);
    }

    private boolean isTooFewApart() {
        return request.settings().poolMetadataApart()
                && request.policy() != AllocationPolicy.ANYWHERE
                && space.pvs().size() < request.images() + request.pools();
    }

    private boolean isRedundantEnough() {
        return !request.raidMetadata()
                || !request.settings().imagesApart()
                || request.policy() == AllocationPolicy.ANYWHERE
                || progress.isRedundant();
    }

    private boolean allPolicies() throws NoRoom {
        boolean maySplit = request.policy() != AllocationPolicy.CONTIGUOUS;
        var last = Policy.last(request.policy());
        for (var policy : Policy.values()) {
            if (policy.compareTo(last) > 0) {
                break;
            }
            if (policy == Policy.CLING_BY_TAGS && request.settings().clingTags().isEmpty()) {
                continue;
            }
            requireEnough();
            long before = progress.allocated;
            attempts(new Pass(policy, request, maySplit));
            if (isDone() || !maySplit && progress.allocated != before) {
                break;
            }
        }
        return isDone();
    }

    private boolean isDone() {
        return progress.allocated == request.extents() && progress.poolsLeft == 0;
    }

    /** LVM counts before each policy, and gives up at once if it cannot work. */
    private void requireEnough() throws NoRoom {
        long missing = request.extents() - progress.allocated;
        long needed =
                missing * request.areas() / request.stripes()
                        + missing * request.parity() / request.stripes()
                        + progress.poolsLeft * request.metadataExtents();
        if (needed > space.extents()) {
            throw new NoRoom();
        }
    }

    private void attempts(Pass pass) throws NoRoom {
        boolean goesOn = true;
        while (goesOn) {
            long before = progress.allocated;
            long most = request.extents() - before;
            new Attempt(request, pass, progress, space, most).run();
            if (before != progress.allocated) {
                lastTaken = progress.allocated - before;
                pass.tookSome(request.settings());
            } else if (!pass.loosened(request.settings())) {
                return;
            }
            goesOn =
                    pass.policy() != Policy.CONTIGUOUS
                            && progress.allocated != request.extents()
                            && pass.maySplit();
        }
    }
}
