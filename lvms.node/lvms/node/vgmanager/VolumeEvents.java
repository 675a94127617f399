package lvms.node.vgmanager;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.device.DeviceMapperEvents;
import lvms.lvm2.system.ErrnoException;

import java.util.Optional;

/**
 * Volume events from the kernel: a RAID leg that fails, a synchronization that ends, a thin pool
 * that runs full. Volumes that come and go are ignored.
 */
final class VolumeEvents implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(VolumeEvents.class.getName());

    private final Runnable onEvent;
    private volatile Optional<DeviceMapperEvents> events = Optional.empty();

    VolumeEvents(Runnable onEvent) {
        this.onEvent = onEvent;
    }

    void start() {
        try {
            events = Optional.of(DeviceMapperEvents.start(this::tell));
        } catch (ErrnoException e) {
            LOG.log(
                    WARNING,
                    () ->
                            "no events from device-mapper, will read the volumes every minute: "
                                    + e.getMessage());
        }
    }

    private void tell(DeviceMapperEvents.Event event) {
        switch (event.kind()) {
            case EVENT, LOST -> {
                LOG.log(DEBUG, () -> "device-mapper event device=" + event.name());
                onEvent.run();
            }
            case APPEARED, VANISHED -> {}
        }
    }

    /** Returns whether events of volumes are received. */
    boolean heard() {
        return events.filter(DeviceMapperEvents::hearing).isPresent();
    }

    @Override
    public void close() {
        events.ifPresent(DeviceMapperEvents::close);
    }
}
