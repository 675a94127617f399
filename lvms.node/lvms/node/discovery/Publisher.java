package lvms.node.discovery;

import lvms.k8s.client.ApiException;
import lvms.node.disk.Host;

import java.io.IOException;
import java.util.List;

/** Where the devices of a node are shown. */
public interface Publisher extends AutoCloseable {
    /**
     * Begins to follow what is there.
     *
     * @param wake called when somebody else has changed it; returns at once
     */
    void start(Runnable wake);

    /** Returns the machine as others may see it: what is in use here is not free. */
    default Host over(Host host) {
        return host;
    }

    /**
     * Writes what differs; nothing while it is not known what is there.
     *
     * @param machine the machine itself
     */
    void publish(Host machine, List<ListedDevice> devices)
            throws IOException, ApiException, InterruptedException;

    @Override
    void close();
}
