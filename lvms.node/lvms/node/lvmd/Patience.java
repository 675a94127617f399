package lvms.node.lvmd;

import lvms.api.VolumeException;
import lvms.lvm2.LvmException;
import lvms.node.erasure.Erasure;
import lvms.node.erasure.StillErasing;
import lvms.node.volume.VolumeRefused;

import java.time.Duration;
import java.util.Optional;

/**
 * Calls that wait until a volume is zeroed, without holding up others. A caller that gives up
 * interrupts the wait; the zeroing goes on, and the next call finds it.
 */
final class Patience {
    private static final Duration LOOK = Duration.ofMinutes(1);

    private Patience() {}

    /**
     * Work on a volume that may have to be zeroed first. It gets the erasure that this call has
     * waited for, if it has.
     */
    interface Work<T> {
        T run(Optional<Erasure> waited)
                throws VolumeException,
                        LvmException,
                        VolumeRefused,
                        StillErasing,
                        InterruptedException;
    }

    /** How far one try came. */
    sealed interface Step<T> {
        record Done<T>(T result) implements Step<T> {}

        record Busy<T>(Erasure erasure) implements Step<T> {}

        static <T> Step<T> of(Work<T> work, Optional<Erasure> waited)
                throws VolumeException, LvmException, VolumeRefused, InterruptedException {
            try {
                return new Done<>(work.run(waited));
            } catch (StillErasing e) {
                return new Busy<>(e.erasure());
            }
        }
    }

    interface Try<T> {
        Step<T> go(Optional<Erasure> waited) throws VolumeException, InterruptedException;
    }

    static <T> T until(Try<T> work) throws VolumeException, InterruptedException {
        var waited = Optional.<Erasure>empty();
        while (true) {
            switch (work.go(waited)) {
                case Step.Done<T>(var result) -> {
                    return result;
                }
                case Step.Busy<T>(var erasure) -> {
                    boolean _ = erasure.await(LOOK);
                    waited = Optional.of(erasure);
                }
            }
        }
    }
}
