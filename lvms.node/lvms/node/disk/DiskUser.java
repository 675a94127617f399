package lvms.node.disk;

import lvms.api.disk.DeviceClaims;
import lvms.k8s.client.ApiException;
import lvms.lvm2.LvmException;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Who else has to do with the disks of a node, beside the volume groups. Its passes run in turn
 * with theirs, on one thread, so that nobody takes a disk while another decides about it.
 */
public interface DiskUser extends AutoCloseable {
    /** Nobody. */
    DiskUser NONE =
            new DiskUser() {
                @Override
                public Host over(Host host) {
                    return host;
                }

                @Override
                public void start(Runnable wake) {}

                @Override
                public Optional<Duration> pass(Host machine, Inventory found, DeviceClaims claims) {
                    return Optional.empty();
                }

                @Override
                public void close() {}
            };

    /** Returns the machine as the volume groups may see it: what is in use here is not free. */
    Host over(Host host);

    /**
     * Begins to follow the cluster.
     *
     * @param wake asks for a pass; returns at once
     */
    void start(Runnable wake);

    /**
     * Looks at the disks and does what is due.
     *
     * @param machine the machine itself
     * @param found what was read just now, over {@link #over}
     * @param claims which device class may have which device
     * @return when it has to be called again, if nothing happens before
     */
    Optional<Duration> pass(Host machine, Inventory found, DeviceClaims claims)
            throws IOException, LvmException, ApiException, InterruptedException;

    @Override
    void close();
}
