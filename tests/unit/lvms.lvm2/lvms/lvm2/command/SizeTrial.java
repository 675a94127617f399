package lvms.lvm2.command;

import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.plan.Capacity;

import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/** Asks LVM for exactly the planned size, which it must take, and for more, which it must not. */
final class SizeTrial {
    private final MendingRunner lvm;
    private int checks;
    private int bugs;

    SizeTrial(MendingRunner lvm) {
        this.lvm = lvm;
    }

    /**
     * Tries both sizes.
     *
     * @param step by how much more, in extents
     * @param command asks for so many extents, and writes nothing
     * @return what differs from the plan
     */
    Optional<String> mismatch(Capacity planned, int step, LongFunction<List<String>> command)
            throws LvmException, InterruptedException {
        var tooLarge = tooLarge(planned, command);
        if (tooLarge.isPresent()) {
            return tooLarge;
        }
        long more = planned.extents() + step;
        return refusal(command.apply(more)).isPresent()
                ? Optional.empty()
                : Optional.of("planned " + planned + ", but LVM makes " + more);
    }

    /** Returns what LVM has against the planned size. */
    Optional<String> tooLarge(Capacity planned, LongFunction<List<String>> command)
            throws LvmException, InterruptedException {
        checks++;
        return planned.extents() == 0
                ? Optional.empty()
                : refusal(command.apply(planned.extents()))
                        .map(refusal -> "planned " + planned + ", but LVM: " + refusal);
    }

    /** What LVM has against a volume of this size. */
    private Optional<String> refusal(List<String> words) throws LvmException, InterruptedException {
        try {
            lvm.run(Effect.CHANGE, words);
            return Optional.empty();
        } catch (LvmException.OutOfSpace e) {
            return Optional.of(e.getMessage());
        } catch (LvmException e) {
            if (isBug(e)) {
                bugs++;
            } else if (!isTooLarge(e.getMessage())) {
                throw e;
            }
            return Optional.of(e.getMessage());
        }
    }

    /**
     * Seen in 2.03.16 where less is left of a run than metadata takes: a failed assertion, or a
     * check that finds extents used twice.
     */
    static boolean isBug(LvmException failure) {
        var message = failure.getMessage();
        return message.contains("status 134") || message.contains("PV segments corrupted");
    }

    private static boolean isTooLarge(String message) {
        return message.contains("must not exceed number of physical volumes")
                || message.contains("cannot be smaller than chunk size")
                || message.contains("cannot address more");
    }

    @Override
    public String toString() {
        return checks + " sizes, LVM failed by itself " + bugs + " times";
    }
}
