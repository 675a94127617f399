package lvms.lvm2.device;

import lvms.lvm2.ffi.DmControl;
import lvms.lvm2.ffi.EventFd;
import lvms.lvm2.ffi.Poll;
import lvms.lvm2.system.DeviceNumber;
import lvms.lvm2.system.ErrnoException;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reports events of device-mapper devices: a thin pool that passes its low-water mark, runs full or
 * changes its mode, a RAID leg that fails, a synchronization that ends, a snapshot that overflows;
 * and the creation and removal of devices. It arms and polls the control device, and compares the
 * devices' event numbers: no process, no kernel thread per device, no wake-up while nothing
 * happens. Ask {@link DeviceMapper} for the status.
 *
 * <p>Usable before the device-mapper's module is loaded: it looks for the module every few seconds,
 * and does not load it. Needs kernel 4.13 and the right to open {@code /dev/mapper/control}.
 *
 * <p>One thread calls the listener, which should return soon. Events that come meanwhile are
 * reported as one. What it throws is logged.
 */
public final class DeviceMapperEvents implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DeviceMapperEvents.class.getName());
    private static final Duration RETRY = Duration.ofSeconds(5);

    /** What happened to a device. */
    public enum Kind {
        /** It was created, or renamed to this name. */
        APPEARED,
        /** Its event number changed: ask for its status. */
        EVENT,
        /** It was removed, or renamed from this name. */
        VANISHED,
        /** Events may have been missed: ask for every status. The device's name is empty. */
        LOST
    }

    /**
     * One event.
     *
     * @param kind what happened
     * @param name device-mapper name of the device
     * @param number its number
     * @param eventNumber counts the events of this device
     */
    public record Event(Kind kind, String name, DeviceNumber number, int eventNumber) {
        static final Event LOST = new Event(Kind.LOST, "", new DeviceNumber(0, 0), 0);

        private static Event of(Kind kind, DmControl.Entry entry) {
            return new Event(kind, entry.name(), entry.number(), entry.eventNumber());
        }
    }

    private final DeviceMapper deviceMapper;
    private final Consumer<Event> listener;
    private final Watcher watcher;
    private Map<String, DmControl.Entry> known = Map.of();
    private boolean missed;
    private boolean failing;
    private volatile boolean hearing;

    private DeviceMapperEvents(DeviceMapper deviceMapper, EventFd end, Consumer<Event> listener) {
        this.deviceMapper = deviceMapper;
        this.listener = listener;
        this.watcher = new Watcher("device-mapper-events", end, this::run);
    }

    /**
     * Starts listening. It does not report the devices that exist already, unless it could not
     * watch the device-mapper at once.
     */
    public static DeviceMapperEvents start(Consumer<Event> listener) throws ErrnoException {
        var events = new DeviceMapperEvents(DeviceMapper.system(), EventFd.create(), listener);
        events.watcher.start();
        return events;
    }

    /** Returns whether events arrive now; if not, {@link Kind#LOST} will be reported instead. */
    public boolean hearing() {
        return hearing;
    }

    /** Stops listening; the listener is not called again, but a running call may go on. */
    @Override
    public void close() {
        watcher.close();
    }

    private void run(EventFd end) throws IOException {
        while (!watcher.ending()) {
            try {
                if (deviceMapper.available()) {
                    watch(end);
                } else {
                    missed = true;
                }
            } catch (IOException e) {
                missed = true;
                complain(e);
            }
            hearing = false;
            if (!watcher.ending()) {
                Poll.await(List.of(end.fd()), Optional.of(RETRY));
            }
        }
    }

    private void watch(EventFd end) throws IOException {
        try (var control = DmControl.open()) {
            boolean first = !missed;
            while (!watcher.ending()) {
                control.arm(); // before listing, so that no event falls in between
                var now = byName(control.list());
                hearing = true;
                if (missed) {
                    missed = false;
                    tell(Event.LOST);
                } else if (!first) {
                    changes(known, now).forEach(this::tell);
                }
                known = now;
                first = false;
                failing = false;
                Poll.await(List.of(control.fd(), end.fd()), Optional.empty());
            }
        }
    }

    /** Logs once per failure, since the watch tries again every few seconds. */
    private void complain(IOException e) {
        if (!failing) {
            failing = true;
            LOG.log(Level.WARNING, () -> "no events from the device-mapper: " + e.getMessage());
        }
    }

    private static Map<String, DmControl.Entry> byName(List<DmControl.Entry> entries) {
        var map = new TreeMap<String, DmControl.Entry>();
        entries.forEach(entry -> map.put(entry.name(), entry));
        return map;
    }

    /**
     * Returns what differs between two lists; if another device has a name now, the name is
     * reported as removed and as created.
     */
    static List<Event> changes(
            Map<String, DmControl.Entry> before, Map<String, DmControl.Entry> now) {
        var events = new ArrayList<Event>();
        before.forEach(
                (name, entry) -> {
                    var present = now.get(name);
                    if (present == null || !present.number().equals(entry.number())) {
                        events.add(Event.of(Kind.VANISHED, entry));
                    }
                });
        now.forEach(
                (name, entry) -> {
                    var past = before.get(name);
                    if (past == null || !past.number().equals(entry.number())) {
                        events.add(Event.of(Kind.APPEARED, entry));
                    } else if (past.eventNumber() != entry.eventNumber()) {
                        events.add(Event.of(Kind.EVENT, entry));
                    }
                });
        return events;
    }

    private void tell(Event event) {
        try {
            listener.accept(event);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, () -> "a listener failed event=" + event, e);
        }
    }
}
