package lvms.k8s.informer;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MalformedWatchException;
import lvms.k8s.client.WatchOptions;
import lvms.k8s.client.WatchSignal;
import lvms.k8s.client.WatchStream;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;

/**
 * The endless loop that lists and watches one collection.
 *
 * <p>A watch that ends or breaks is opened again from the last version. A version that is too old,
 * a malformed event, or a server whose history went back leads to a new list. Lists ask for the
 * newest state (no resource version): servers since 1.31 answer that from their cache, and no
 * answer is older than what we have already seen.
 */
final class Reflector implements Runnable {
    private static final System.Logger LOG = System.getLogger(Reflector.class.getName());

    /** Clients whose servers refused a streaming list; each is asked once per process. */
    private static final Set<KubeClient> NO_STREAMING =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final KubeClient client;
    private final ResourceType type;
    private final ListOptions options;
    private final UnaryOperator<KubeObject> trim;
    private final Timing timing;
    private final Feed feed;
    private final Pauses pauses;
    private boolean streaming = true;

    Reflector(
            KubeClient client,
            ResourceType type,
            ListOptions options,
            UnaryOperator<KubeObject> trim,
            Timing timing,
            Feed feed) {
        this.client = client;
        this.type = type;
        this.options = options.pageSize(0); // without pages the server's cache can answer
        this.trim = trim;
        this.timing = timing;
        this.feed = feed;
        this.pauses = new Pauses(timing);
    }

    /** Runs until the feed has ended, which an interrupt makes known; nothing else ends it. */
    @Override
    public void run() {
        while (!feed.ended()) {
            try {
                round();
                Thread.sleep(pauses.next(System.nanoTime()));
            } catch (InterruptedException _) {
                LOG.log(DEBUG, () -> "informer interrupted type=" + type);
            }
        }
    }

    /** Runs one list and the watches that follow it, until a list is needed again. */
    private void round() throws InterruptedException {
        try {
            var stream = streamingList();
            if (stream.isEmpty()) {
                list();
            }
            watch(stream);
        } catch (ApiException | IOException e) {
            feed.problem(e);
        } catch (RuntimeException | Error e) {
            LOG.log(ERROR, () -> "informer failed, listing again type=" + type, e);
            feed.problem(e);
        }
    }

    private void list() throws ApiException, InterruptedException {
        var list = client.list(type, options, trim);
        feed.replace(list.items(), list.resourceVersion());
    }

    /** A watch and how long we asked it to last. */
    private record OpenWatch(WatchStream stream, Duration timeout) {}

    private Optional<OpenWatch> streamingList()
            throws ApiException, IOException, InterruptedException {
        if (!streaming || NO_STREAMING.contains(client)) {
            return Optional.empty();
        }
        var timeout = timing.watchTimeout();
        WatchStream stream;
        try {
            stream = client.watch(type, options, WatchOptions.streamingList(timeout));
        } catch (ApiException.Invalid | ApiException.BadRequest | ApiException.Unsupported e) {
            NO_STREAMING.add(client);
            LOG.log(INFO, () -> "server has no streaming lists, using plain lists: " + e);
            return Optional.empty();
        } catch (ApiException.Gone | ApiException.ServerError _) {
            return Optional.empty(); // a plain list may work
        }
        boolean complete = false;
        try {
            complete = collectInitial(stream);
        } finally {
            if (!complete) {
                stream.close();
            }
        }
        return complete ? Optional.of(new OpenWatch(stream, timeout)) : Optional.empty();
    }

    /** Returns true after the marked bookmark; nothing reaches the store before it. */
    private boolean collectInitial(WatchStream stream)
            throws ApiException, IOException, InterruptedException {
        Map<ObjectKey, KubeObject> initial = new LinkedHashMap<>();
        while (true) {
            switch (stream.next(timing.initialSilence())) {
                case WatchSignal.Event(var kind, var object) -> {
                    check(object);
                    switch (kind) {
                        case ADDED, MODIFIED -> initial.put(object.key(), trim.apply(object));
                        case DELETED -> initial.remove(object.key());
                        case BOOKMARK -> {
                            if (isInitialEnd(object)) {
                                feed.replace(
                                        List.copyOf(initial.values()), object.resourceVersion());
                                return true;
                            }
                        }
                    }
                }
                case WatchSignal.Idle() -> {
                    streaming = false;
                    LOG.log(
                            INFO,
                            () -> "streaming list did not end, using plain lists type=" + type);
                    return false;
                }
                case WatchSignal.End _ -> throw new IOException("a streaming list was cut off");
            }
        }
    }

    private static boolean isInitialEnd(KubeObject bookmark) {
        return bookmark.annotation("k8s.io/initial-events-end").orElse("").equals("true");
    }

    /** Watches repeatedly from the last version, until only a list helps. */
    private void watch(Optional<OpenWatch> first)
            throws ApiException, IOException, InterruptedException {
        var open = first;
        for (boolean again = false; ; again = true) {
            while (open.isEmpty()) {
                open = reopen();
            }
            try (var stream = open.get().stream();
                    var probe = new Probe(client, type, options, stream)) {
                if (again) {
                    probe.start(feed.version()); // if ahead of the server: silence, no error
                }
                if (!consume(open.get(), probe)) {
                    return;
                }
            }
            open = Optional.empty();
        }
    }

    /** Opens a watch; if the server is busy or away, returns empty after a pause. */
    private Optional<OpenWatch> reopen() throws ApiException, InterruptedException {
        var timeout = timing.watchTimeout();
        try {
            var from = WatchOptions.from(feed.version(), timeout);
            return Optional.of(new OpenWatch(client.watch(type, options, from), timeout));
        } catch (ApiException.TooManyRequests | ApiException.Unreachable e) {
            pause(e);
            return Optional.empty();
        }
    }

    private void pause(ApiException busy) throws InterruptedException {
        feed.problem(busy);
        var asked = busy.retryAfter().orElse(Duration.ZERO);
        var own = pauses.next(System.nanoTime());
        Thread.sleep(asked.compareTo(own) > 0 ? asked : own);
    }

    /** Returns true if a watch from the last version may follow, false if a list is needed. */
    private boolean consume(OpenWatch open, Probe probe)
            throws ApiException, MalformedWatchException, InterruptedException {
        var nets = new StallNets(timing, open.timeout(), System.nanoTime());
        try {
            while (true) {
                switch (open.stream().next(nets.patience(System.nanoTime()))) {
                    case WatchSignal.Event(var kind, var object) -> {
                        take(kind, object);
                        nets.signal(System.nanoTime(), kind == WatchSignal.Type.BOOKMARK);
                    }
                    case WatchSignal.Idle() -> {
                        if (isDead(nets, probe)) {
                            return !probe.wentBack();
                        }
                    }
                    case WatchSignal.End(boolean halfLine) -> {
                        return halfLine || nets.hasLived(System.nanoTime());
                    }
                }
            }
        } catch (ApiException.TooManyRequests e) {
            pause(e);
            return true;
        } catch (MalformedWatchException e) {
            throw e;
        } catch (IOException e) {
            boolean lived = nets.hasLived(System.nanoTime());
            if (!lived) {
                feed.problem(e); // the list that follows may take a while
            }
            return lived && !probe.wentBack();
        }
    }

    private boolean isDead(StallNets nets, Probe probe) {
        long now = System.nanoTime();
        boolean dead = nets.stalled(now) || nets.probeDue(now) && !probe.agrees(feed.version());
        if (dead) {
            LOG.log(INFO, () -> "replacing a silent watch type=" + type);
        }
        return dead;
    }

    private void take(WatchSignal.Type kind, KubeObject object) throws MalformedWatchException {
        check(object);
        switch (kind) {
            case ADDED, MODIFIED -> feed.update(trim.apply(object));
            case DELETED -> feed.delete(trim.apply(object));
            case BOOKMARK -> feed.bookmark(object.resourceVersion());
        }
    }

    private void check(KubeObject object) throws MalformedWatchException {
        if (!object.kind().equals(type.kind())
                || !object.apiVersion().equals(type.apiVersion())
                || object.resourceVersion().isEmpty()) {
            throw new MalformedWatchException("watch of " + type + " delivered " + object);
        }
    }
}
