package lvms.operator.volume;

import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes threads that wait for a LogicalVolume to change. */
final class VolumeChanges {
    private final Map<String, Set<Semaphore>> waiters = new HashMap<>();

    VolumeChanges(Informer volumes) {
        volumes.addHandler(this::wake);
    }

    /** Begins to listen for changes of an object. */
    synchronized Waiter waiter(String name) {
        var signal = new Semaphore(0);
        waiters.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(signal);
        return new Waiter(name, signal);
    }

    /** Waits for changes of one object; none is missed between two waits. */
    final class Waiter implements AutoCloseable {
        private final String name;
        private final Semaphore signal;

        private Waiter(String name, Semaphore signal) {
            this.name = name;
            this.signal = signal;
        }

        /** Returns whether there was a change within the time, even if it came before the call. */
        boolean await(long nanos) throws InterruptedException {
            boolean changed = signal.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            signal.drainPermits();
            return changed;
        }

        @Override
        public void close() {
            leave(name, signal);
        }
    }

    private synchronized void leave(String name, Semaphore signal) {
        var signals = waiters.get(name);
        signals.remove(signal);
        if (signals.isEmpty()) {
            waiters.remove(name);
        }
    }

    private synchronized void wake(Optional<KubeObject> before, Optional<KubeObject> after) {
        var name = after.or(() -> before).orElseThrow().name();
        waiters.getOrDefault(name, Set.of()).forEach(Semaphore::release);
    }
}
