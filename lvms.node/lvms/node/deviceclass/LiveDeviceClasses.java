package lvms.node.deviceclass;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The current device classes of this node. Threads: any may read; the volume group manager writes.
 */
public final class LiveDeviceClasses implements ClassNews {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile DeviceClasses current = DeviceClasses.none();
    private volatile boolean known;

    public LiveDeviceClasses() {}

    /** Starts with classes that are known already. */
    public static LiveDeviceClasses of(DeviceClasses classes) {
        var live = new LiveDeviceClasses();
        live.publish(classes);
        return live;
    }

    public DeviceClasses current() {
        return current;
    }

    /** Returns whether the classes are known yet; until then {@link #current} has none. */
    @Override
    public boolean known() {
        return known;
    }

    /**
     * Adds a listener. It is called after the classes changed, on the thread that changed them, and
     * must only enqueue work.
     */
    @Override
    public void onChange(Runnable listener) {
        listeners.add(Objects.requireNonNull(listener));
    }

    /**
     * Makes {@code next} the current classes, and calls the listeners if they differ from the last
     * ones.
     */
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
