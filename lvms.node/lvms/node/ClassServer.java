package lvms.node;

import lvms.lvm2.LvmException;

import java.util.Optional;

/** Serves the device classes of an lvmd.yaml, and takes another set without a restart. */
public interface ClassServer {
    /** Returns, in one line, what is missing so that these classes cannot be served. */
    Optional<String> missing(LvmdSettings wanted) throws LvmException, InterruptedException;

    /** Switches to the device classes of these settings. */
    void take(LvmdSettings next);
}
