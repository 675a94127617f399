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

    /** Begins to listen for changes of some objects. */
    synchronized Waiter waiter(Set<String> names) {
        var signal = new Semaphore(0);
        for (var name : names) {
            waiters.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(signal);
        }
        return new Waiter(names, signal);
    }

    /** Waits for changes of these objects; none is missed between two waits. */
    final class Waiter implements AutoCloseable {
        private final Set<String> names;
        private final Semaphore signal;

        private Waiter(Set<String> names, Semaphore signal) {
            this.names = names;
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
            names.forEach(name -> leave(name, signal));
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
