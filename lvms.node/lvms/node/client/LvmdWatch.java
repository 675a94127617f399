package lvms.node.client;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;

import lvms.k8s.queue.Backoff;
import lvms.node.deviceclass.ClassNews;
import lvms.proto.lvmd.Empty;
import lvms.proto.lvmd.WatchItem;
import lvms.proto.lvmd.WatchResponse;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Follows the Watch stream of an lvmd, and opens it again whenever it ends or is silent for longer
 * than lvmd's period. Any thread may ask.
 */
public final class LvmdWatch implements ClassNews, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LvmdWatch.class.getName());
    private static final Backoff RETRY =
            new Backoff(Duration.ofMillis(250), Duration.ofSeconds(5), 0.2);

    /** An lvmd sends its state at once, and then at least every ten minutes. */
    private static final Duration FIRST = Duration.ofSeconds(30);

    private static final Duration SILENCE = Duration.ofMinutes(11);

    private final LvmdConnection lvmd;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> onState = new CopyOnWriteArrayList<>();
    private final Thread thread = Thread.ofVirtual().name("lvmd-watch").unstarted(this::run);
    private volatile Optional<WatchResponse> state = Optional.empty();
    private volatile boolean connected;
    private String complaint = "";

    /** Prepares it; nothing is called yet. */
    public LvmdWatch(LvmdConnection lvmd) {
        this.lvmd = lvmd;
    }

    public void start() {
        thread.start();
    }

    /** Returns the last state that lvmd has told; empty before the first. */
    public Optional<WatchResponse> state() {
        return state;
    }

    /** Returns whether the last state is the present one, as far as lvmd knows. */
    public boolean connected() {
        return connected;
    }

    /**
     * Adds a listener for each new state, and for the loss of the stream; it must return at once.
     */
    public void onState(Runnable listener) {
        onState.add(listener);
    }

    @Override
    public boolean known() {
        return state.isPresent();
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Returns the names of lvmd's device classes whose group and pool are there. */
    public Set<String> classes() {
        return state.map(LvmdWatch::names).orElse(Set.of());
    }

    private static Set<String> names(WatchResponse state) {
        return state.getItemsList().stream()
                .map(WatchItem::getDeviceClass)
                .collect(Collectors.toUnmodifiableSet());
    }

    private void run() {
        try {
            for (int failures = 1; ; failures++) {
                if (follow()) {
                    failures = 0;
                }
                if (connected) {
                    connected = false;
                    onState.forEach(Runnable::run);
                }
                Thread.sleep(RETRY.after(Math.max(1, failures)));
            }
        } catch (InterruptedException _) {
            LOG.log(DEBUG, "lvmd is not watched any more"); // by close()
        }
    }

    /** Follows one stream to its end; returns whether it told anything. */
    private boolean follow() throws InterruptedException {
        var stream = new Stream();
        lvmd.watch(stream);
        boolean told = false;
        try {
            while (true) {
                var limit = told ? SILENCE : FIRST;
                var next = stream.events.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
                switch (next) {
                    case null -> {
                        complain("no message for " + limit);
                        return told;
                    }
                    case Event.Ended(var status) -> {
                        complain(LvmdConnection.textOf(status));
                        return told;
                    }
                    case Event.Told(var now) -> {
                        told = true;
                        take(now);
                    }
                }
            }
        } finally {
            stream.cancel();
        }
    }

    private void complain(String why) {
        var level = why.equals(complaint) ? DEBUG : WARNING;
        complaint = why;
        LOG.log(level, () -> "lvmd cannot be followed socket=" + lvmd.socket() + ": " + why);
    }

    private void take(WatchResponse now) {
        if (!connected) {
            complaint = "";
            LOG.log(
                    INFO,
                    () -> "lvmd is followed socket=" + lvmd.socket() + " classes=" + names(now));
        }
        boolean changed = state.map(LvmdWatch::names).filter(names(now)::equals).isEmpty();
        state = Optional.of(now);
        connected = true;
        if (changed) {
            listeners.forEach(Runnable::run);
        }
        onState.forEach(Runnable::run);
    }

    private sealed interface Event {
        record Told(WatchResponse state) implements Event {}

        record Ended(Status status) implements Event {}
    }

    /** What one stream sends, kept in order for the thread that follows it. */
    private static final class Stream implements ClientResponseObserver<Empty, WatchResponse> {
        private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
        private volatile Optional<ClientCallStreamObserver<Empty>> call = Optional.empty();

        @Override
        public void beforeStart(ClientCallStreamObserver<Empty> started) {
            call = Optional.of(started);
        }

        @Override
        public void onNext(WatchResponse now) {
            events.add(new Event.Told(now));
        }

        @Override
        public void onError(Throwable failure) {
            events.add(new Event.Ended(Status.fromThrowable(failure)));
        }

        @Override
        public void onCompleted() {
            events.add(new Event.Ended(Status.OK.withDescription("lvmd ended the stream")));
        }

        void cancel() {
            call.ifPresent(started -> started.cancel("not read any more", null));
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
