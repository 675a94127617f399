package lvms.lvm2.command;

import java.util.concurrent.locks.LockSupport;

/** A process that is killed in the middle of a change. */
interface CutVictim {
    /** Makes itself ready, so that the next change costs nothing but the change. */
    void prepare() throws Exception;

    /** Makes a change and kills meanwhile; returns whether it was cut, and not done before. */
    boolean cut(CutChange change, long afterNanos) throws Exception;

    /** Makes a change in peace, as whoever comes after the victim. */
    void make(CutChange change) throws Exception;

    /** Ends the process in order, if there is one of its own. */
    void end() throws Exception;

    /** Runs something a moment later, unless it is interrupted before. */
    static Thread after(long nanos, Runnable kill) {
        long end = System.nanoTime() + nanos;
        return Thread.ofPlatform()
                .start(
                        () -> {
                            while (System.nanoTime() < end && !Thread.interrupted()) {
                                LockSupport.parkNanos(end - System.nanoTime());
                            }
                            if (System.nanoTime() >= end) {
                                kill.run();
                            }
                        });
    }
}
