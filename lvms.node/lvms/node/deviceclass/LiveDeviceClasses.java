package lvms.node.deviceclass;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The present device classes of this node. Threads: any may read; the volume group manager writes.
 */
public final class LiveDeviceClasses {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile DeviceClasses current = DeviceClasses.none();
    private volatile boolean known;

    /** Starts without any class. */
    public LiveDeviceClasses() {}

    /** Starts with classes that are known already. */
    public static LiveDeviceClasses of(DeviceClasses classes) {
        var live = new LiveDeviceClasses();
        live.publish(classes);
        return live;
    }

    /** Returns the classes as of now. */
    public DeviceClasses current() {
        return current;
    }

    /** Returns whether the classes were found out yet; before, {@link #current} has none. */
    public boolean known() {
        return known;
    }

    /**
     * Adds a listener, called after the classes became different ones, on the thread that changed
     * them. It must only enqueue work.
     */
    public void onChange(Runnable listener) {
        listeners.add(Objects.requireNonNull(listener));
    }

    /** Makes {@code next} the present classes, and tells the listeners if that is news. */
    public void publish(DeviceClasses next) {
        synchronized (this) {
            if (known && current.equals(next)) {
                return;
            }
            current = next;
            known = true;
        }
        listeners.forEach(Runnable::run);
    }
}
