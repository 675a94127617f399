package lvms.lvm2.instant;

import lvms.lvm2.ffi.DmControl;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Devices of the device-mapper whose I/O waits, all of them at one moment, so that what is on them
 * is of one instant. The kernel freezes the filesystems on them, so these are clean.
 *
 * <p>No I/O waits longer than was agreed: when that time is over, all devices go on, and {@link
 * #requireHeld} fails from then on. If the process dies, they stay as they are: the caller notes
 * beforehand that it holds devices, where a watchdog or the next process finds it. One thread uses
 * it.
 */
public final class HeldDevices implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HeldDevices.class.getName());

    /** What the device-mapper does for it; each call may come from another thread. */
    public interface Kernel {
        /** Returns once the I/O of a device waits. */
        void suspend(String device) throws IOException;

        /** Lets the I/O of a device go on; nothing happens if it does. */
        void resume(String device) throws IOException;

        /** Returns whether the I/O of a device waits. */
        boolean suspended(String device) throws IOException;
    }

    /** This machine's. */
    private record Machine(boolean freezes) implements Kernel {
        @Override
        public void suspend(String device) throws IOException {
            try (var control = DmControl.open()) {
                if (freezes) {
                    control.suspend(device);
                } else {
                    control.suspendUnfrozen(device);
                }
            }
        }

        @Override
        public void resume(String device) throws IOException {
            try (var control = DmControl.open()) {
                control.resume(device);
            }
        }

        @Override
        public boolean suspended(String device) throws IOException {
            try (var control = DmControl.open()) {
                return control.table(device).filter(DmControl.State::suspended).isPresent();
            }
        }
    }

    private final Kernel kernel;
    private final Duration longest;
    private final long end;
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<String> held = new ArrayList<>(); // guarded by this
    private int underWay; // guarded by this: how many may be held at any moment

    /**
     * Begins; nothing is held yet.
     *
     * @param longest how long any I/O may wait
     */
    public HeldDevices(Duration longest) {
        this(longest, new Machine(true));
    }

    /**
     * The same for devices whose filesystems are not frozen: what these have not written yet waits
     * as well, instead of being written first. So what is on the devices is not clean.
     */
    public static HeldDevices unfrozen(Duration longest) {
        return new HeldDevices(longest, new Machine(false));
    }

    HeldDevices(Duration longest, Kernel kernel) {
        this.kernel = kernel;
        this.longest = longest;
        this.end = System.nanoTime() + longest.toNanos();
        Thread.ofPlatform().daemon().name("held-devices").start(this::watch);
    }

    private void watch() {
        try {
            if (!over.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                LOG.log(Level.WARNING, () -> "held I/O goes on, its time is over " + this);
                boolean _ = release();
            }
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts it", e);
        }
    }

    /**
     * Holds the I/O of these devices, one after the other; it waits for what is on its way.
     *
     * @throws IOException if one cannot be held in time; others may be
     */
    public void hold(Collection<String> devices) throws IOException, InterruptedException {
        for (var device : devices) {
            hold(device);
        }
    }

    /** The kernel may need long, or for ever, so this thread does not ask it itself. */
    private void hold(String device) throws IOException, InterruptedException {
        var task =
                new FutureTask<Void>(
                        () -> {
                            suspend(device);
                            return null;
                        });
        synchronized (this) {
            requireTime();
            underWay++;
        }
        Thread.ofPlatform().daemon().name("hold " + device).start(task);
        try {
            task.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw late(e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause
                    ? cause
                    : new IOException("holding " + device, e.getCause());
        }
    }

    /** If it cannot be resumed in the end, it counts as under way for ever. */
    private void suspend(String device) throws IOException {
        try {
            kernel.suspend(device);
        } catch (IOException e) {
            ended();
            throw e;
        }
        if (!kept(device)) {
            kernel.resume(device);
            ended();
        }
    }

    private synchronized boolean kept(String device) {
        boolean kept = over.getCount() > 0;
        if (kept) {
            underWay--;
            held.add(device);
        }
        return kept;
    }

    private synchronized void ended() {
        underWay--;
    }

    /**
     * Requires that the I/O of a device waits, and has done so since {@link #hold}.
     *
     * @throws IOException if it went on, by whomever
     */
    public void requireHeld(String device) throws IOException {
        requireTime();
        if (!kernel.suspended(device)) {
            throw new IOException("somebody resumed " + device + " too early");
        }
    }

    /**
     * Requires that the time is not over.
     *
     * @throws IOException if the devices went on before the caller was done with them
     */
    public void requireTime() throws IOException {
        if (over.getCount() == 0 || System.nanoTime() - end >= 0) {
            throw late(null);
        }
    }

    private IOException late(Exception cause) {
        return new IOException(
                "the I/O of the volumes would have to wait for more than %d s"
                        .formatted(longest.toSeconds()),
                cause);
    }

    /**
     * Lets all devices go on that still wait.
     *
     * @return whether it is certain that none waits any more
     */
    public synchronized boolean release() {
        over.countDown();
        held.removeIf(this::resumed);
        return held.isEmpty() && underWay == 0;
    }

    private boolean resumed(String device) {
        try {
            if (kernel.suspended(device)) { // else LVM did, or the device is gone
                kernel.resume(device);
            }
            return true;
        } catch (IOException e) {
            LOG.log(Level.ERROR, () -> "cannot let I/O go on device=" + device + ": " + e);
            return false;
        }
    }

    @Override
    public void close() {
        boolean _ = release();
    }

    @Override
    public synchronized String toString() {
        return "devices=" + held + " longest=" + longest;
    }
}
