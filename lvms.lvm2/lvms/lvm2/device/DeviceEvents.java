package lvms.lvm2.device;

import lvms.lvm2.ffi.EventFd;
import lvms.lvm2.ffi.Poll;
import lvms.lvm2.ffi.UeventSocket;
import lvms.lvm2.system.ErrnoException;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reports block devices that appear, change and vanish, within milliseconds: the kernel's uevents
 * from a netlink socket. It needs no udevd, no privilege and no process, and sleeps in the kernel
 * while nothing happens.
 *
 * <p>The kernel sends uevents of block devices to every network namespace whose owner is the first
 * user namespace: the host's and that of every pod, with or without {@code hostNetwork}. In a
 * network namespace of another user namespace (rootless containers, {@code hostUsers: false}) no
 * event arrives, and nothing says so: look at the devices there from time to time.
 *
 * <p>One thread calls the listener, in the order of the events. A listener should return soon: a
 * slow one gets {@link DeviceEvent.Lost}. What it throws is logged.
 */
public final class DeviceEvents implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DeviceEvents.class.getName());

    private final UeventSocket socket;
    private final Watcher watcher;
    private final Consumer<DeviceEvent> listener;

    private DeviceEvents(UeventSocket socket, EventFd end, Consumer<DeviceEvent> listener) {
        this.socket = socket;
        this.listener = listener;
        this.watcher = new Watcher("device-events", end, this::run);
    }

    /**
     * Starts listening: every event after the return of this call reaches the listener.
     *
     * @throws ErrnoException if the kernel refuses the socket
     */
    public static DeviceEvents start(Consumer<DeviceEvent> listener) throws ErrnoException {
        var socket = UeventSocket.open();
        try {
            var events = new DeviceEvents(socket, EventFd.create(), listener);
            events.watcher.start();
            return events;
        } catch (ErrnoException e) {
            socket.close();
            throw e;
        }
    }

    /** Stops listening; the listener is not called again, but a running call may go on. */
    @Override
    public void close() {
        watcher.close();
    }

    private void run(EventFd end) throws ErrnoException {
        try (socket) {
            while (!watcher.ending()) {
                Poll.await(List.of(socket.fd(), end.fd()), Optional.empty());
                drain();
            }
        }
    }

    /**
     * After a loss, the kernel drops events until all have been taken, so only then is the loss
     * reported.
     */
    private void drain() throws ErrnoException {
        boolean lost = false;
        while (!watcher.ending()) {
            try {
                var message = socket.receive();
                if (message.isEmpty()) {
                    break;
                }
                message.flatMap(Uevent::parse)
                        .filter(Uevent::ofBlockDevice)
                        .map(DeviceEvents::event)
                        .ifPresent(this::tell);
            } catch (ErrnoException e) {
                if (e.errno() != ErrnoException.ENOBUFS) {
                    throw e;
                }
                lost = true;
            }
        }
        if (lost) {
            LOG.log(Level.INFO, "uevents were lost; all devices will be examined again");
            tell(new DeviceEvent.Lost());
        }
    }

    static DeviceEvent event(Uevent uevent) {
        return switch (uevent.action()) {
            case "add" -> new DeviceEvent.Appeared(uevent);
            case "remove" -> new DeviceEvent.Vanished(uevent);
            default -> new DeviceEvent.Changed(uevent);
        };
    }

    private void tell(DeviceEvent event) {
        try {
            listener.accept(event);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, () -> "a listener failed event=" + event, e);
        }
    }
}
