package lvms.lvm2.engine;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;

/** Runs LVM commands; any thread may call. */
public interface Engine extends AutoCloseable {
    /**
     * Runs one command to its end, whatever its status.
     *
     * @throws LvmException.OutcomeUnknown if a change died or was killed
     * @throws LvmException.Unavailable if it could not be started, or a read died or was killed
     * @throws InterruptedException if the caller was interrupted before the command was started
     */
    Reply run(Command command) throws LvmException, InterruptedException;

    /** Returns how commands are run. */
    EngineStatus status();

    @Override
    void close();
}
