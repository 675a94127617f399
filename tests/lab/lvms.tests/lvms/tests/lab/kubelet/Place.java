package lvms.tests.lab.kubelet;

import lvms.tests.lab.machine.CommandResult;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Where the processes of a pod run. */
public interface Place {
    /** Runs a command to its end; the thread's interruption ends it. */
    CommandResult run(List<String> command, Duration deadline)
            throws IOException, InterruptedException;

    /** A folder of this machine for the files of pods. */
    Path outside();

    /** The path of that folder where the processes run. */
    String inside();

    /** The folder of a pod where the processes run; it goes with the pod. */
    String podFolder(String podUid);

    /** What a container needs before its mounts, as shell lines. */
    String prelude();

    /** The address where ports of containers are reached. */
    String address();
}
