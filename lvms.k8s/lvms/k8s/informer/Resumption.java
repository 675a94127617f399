package lvms.k8s.informer;

import java.time.Duration;

/**
 * Decides what follows a watch that ended: another one at once, another one after a pause, or a
 * list. A watch that lasted is followed at once. One that ended soon is not, however it ended, so
 * that a proxy that cuts the same event again and again, or a server that only sends a bookmark and
 * closes, costs no more requests than one that is down.
 */
final class Resumption {
    /** Watches in a row that ended soon and brought no object; then only a list goes on. */
    static final int MOST_IN_VAIN = 3;

    private final Timing timing;
    private final Pauses pauses;
    private final Pauses busy;
    private int inVain;

    /**
     * @param pauses those of the whole loop, which grow
     */
    Resumption(Timing timing, Pauses pauses) {
        this.timing = timing;
        this.pauses = pauses;
        this.busy = Pauses.constant(timing);
    }

    /** What follows a watch. */
    sealed interface Next {
        /** Another watch from the last version. */
        record Watch(Duration pause) implements Next {}

        /** A list; its pause is that of the loop. */
        record List() implements Next {}
    }

    /**
     * How a watch ended.
     *
     * @param lasted how long it was open
     * @param objects whether it delivered an object
     * @param other whether it delivered a bookmark, or a part of an event
     */
    record End(Duration lasted, boolean objects, boolean other) {}

    Next after(End end, long nowNanos) {
        if (end.lasted().compareTo(timing.shortWatch()) >= 0) {
            inVain = 0;
            return new Next.Watch(Duration.ZERO);
        }
        if (end.objects()) {
            inVain = 0;
            return new Next.Watch(busy.next(nowNanos));
        }
        inVain++;
        if (!end.other() || inVain == MOST_IN_VAIN) { // the version may be too old, for one
            inVain = 0;
            return new Next.List();
        }
        return new Next.Watch(pauses.next(nowNanos));
    }
}
