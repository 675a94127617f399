package lvms.node;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.LvmException;
import lvms.node.csi.VolumeDevice;
import lvms.node.csi.VolumeDevices;
import lvms.node.csi.VolumeId;
import lvms.node.csi.VolumePast;
import lvms.node.format.ContentMark;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The volumes of an agent that may still be looking for its LVM. Until it has it, no volume is
 * known, and calls get ABORTED. Any thread may call.
 */
final class LateVolumeDevices implements VolumeDevices {
    private final CompletableFuture<VolumeDevices> found = new CompletableFuture<>();
    private volatile String why = "the node agent starts";

    /** From now on the devices are found by these. */
    void are(VolumeDevices devices) {
        found.complete(devices);
    }

    /** Says why there is no LVM yet. */
    void lack(String obstacle) {
        why = obstacle;
    }

    private VolumeDevices found() throws VolumeException {
        if (!found.isDone()) {
            throw new VolumeException(StatusCode.ABORTED, "no volume is known yet: " + why);
        }
        return found.join();
    }

    @Override
    public void awaitKnown(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        try {
            found.get(patience.toNanos(), TimeUnit.NANOSECONDS)
                    .awaitKnown(Duration.ofNanos(end - System.nanoTime()));
        } catch (TimeoutException _) {
            // not known yet, as the next method says
        } catch (ExecutionException e) {
            throw new AssertionError(e); // nobody completes it so
        }
    }

    @Override
    public void require(VolumeId volume) throws VolumeException, InterruptedException {
        found().require(volume);
    }

    @Override
    public void requireHome(VolumeId volume, Optional<String> handedOut)
            throws VolumeException, LvmException, IOException, InterruptedException {
        found().requireHome(volume, handedOut);
    }

    @Override
    public VolumeDevice active(VolumeId volume)
            throws VolumeException, LvmException, IOException, InterruptedException {
        return found().active(volume);
    }

    @Override
    public VolumePast past(VolumeId volume, boolean anew)
            throws VolumeException, LvmException, IOException, InterruptedException {
        return found().past(volume, anew);
    }

    @Override
    public void mark(VolumeId volume, ContentMark mark)
            throws VolumeException, LvmException, IOException, InterruptedException {
        found().mark(volume, mark);
    }

    @Override
    public void takePermission(VolumeId volume) throws VolumeException, InterruptedException {
        found().takePermission(volume);
    }

    @Override
    public void confirm(VolumeId volume, VolumeDevice published)
            throws VolumeException, IOException, InterruptedException {
        found().confirm(volume, published);
    }

    @Override
    public Optional<VolumeDevice> find(VolumeId volume)
            throws VolumeException, IOException, InterruptedException {
        return found().find(volume);
    }

    @Override
    public Optional<String> trouble(VolumeId volume)
            throws VolumeException, IOException, InterruptedException {
        return found().trouble(volume);
    }
}
