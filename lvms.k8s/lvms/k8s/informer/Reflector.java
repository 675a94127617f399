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
import lvms.k8s.object.ResourceType;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
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

    /** Streaming lists in a row that broke before their end; then plain lists are used. */
    private static final int MOST_BROKEN = 3;

    /** Watches in a row that a server failed to open; then a list is tried. */
    private static final int MOST_REFUSED = 5;

    private final KubeClient client;
    private final ResourceType type;
    private final ListOptions options;
    private final UnaryOperator<KubeObject> trim;
    private final Timing timing;
    private final InformerMetrics metrics;
    private final Feed feed;
    private final Pauses pauses;
    private final Resumption resumption;
    private boolean streaming = true;
    private int brokenStreams;
    private int unanswered;
    private int refused;
    private boolean bookmarked;

    Reflector(
            KubeClient client,
            ResourceType type,
            ListOptions options,
            UnaryOperator<KubeObject> trim,
            Timing timing,
            InformerMetrics metrics,
            Feed feed) {
        this.client = client;
        this.type = type;
        this.options = options.pageSize(0); // without pages the server's cache can answer
        this.trim = trim;
        this.timing = timing;
        this.metrics = metrics;
        this.feed = feed;
        this.pauses = Pauses.growing(timing);
        this.resumption = new Resumption(timing, pauses);
    }

    /** Has it ask for no streaming list; before it runs. */
    Reflector withPlainLists() {
        streaming = false;
        return this;
    }

    /**
     * Runs until the feed has ended, which an interrupt makes known, or the client is closed;
     * nothing else ends it.
     */
    @Override
    public void run() {
        while (!feed.ended() && !client.closed()) {
            try {
                Thread.sleep(round());
            } catch (InterruptedException _) {
                LOG.log(DEBUG, () -> "informer interrupted type=" + type);
            }
        }
        if (!feed.ended()) {
            LOG.log(INFO, () -> "informer ends, its client is closed type=" + type);
        }
    }

    /**
     * Runs one list and the watches that follow it, until a list is needed again; returns the pause
     * before that.
     */
    private Duration round() throws InterruptedException {
        try {
            var stream = streamingList();
            if (stream.isEmpty()) {
                list();
            }
            watch(stream);
        } catch (ApiException e) {
            return pauseAfter(e);
        } catch (IOException e) {
            feed.problem(e);
        } catch (RuntimeException | Error e) {
            if (!client.closed()) {
                LOG.log(ERROR, () -> "informer failed, listing again type=" + type, e);
                feed.problem(e);
            }
        }
        return pauses.next(System.nanoTime());
    }

    /** Returns the time that the server asked for, or our own if that is longer. */
    private Duration pauseAfter(ApiException failure) {
        feed.problem(failure);
        var asked = failure.retryAfter().orElse(Duration.ZERO);
        var own = pauses.next(System.nanoTime());
        return asked.compareTo(own) > 0 ? asked : own;
    }

    private void list() throws ApiException, IOException, InterruptedException {
        metrics.listed();
        var list = client.list(type, options, trim);
        if (list.resourceVersion().isEmpty()) { // a watch without one would begin anywhere
            throw new IOException("list of " + type + " has no resource version");
        }
        feed.replace(list.items(), list.resourceVersion());
    }

    /** A watch and how long we asked it to last. */
    private record OpenWatch(WatchStream stream, Duration timeout) {}

    private Optional<OpenWatch> streamingList()
            throws ApiException, IOException, InterruptedException {
        var timeout = timing.watchTimeout();
        var stream = openStreamingList(timeout);
        if (stream.isEmpty()) {
            return Optional.empty();
        }
        boolean complete = false;
        try {
            var list = new InitialList(type, trim, timing, feed, timeout).read(stream.get());
            feed.replace(list.items(), list.resourceVersion());
            brokenStreams = 0;
            unanswered = 0;
            complete = true;
        } catch (ApiException.TooManyRequests e) {
            throw e;
        } catch (ApiException | IOException e) {
            broken(e);
        } finally {
            if (!complete) {
                stream.get().close();
            }
        }
        return complete ? stream.map(open -> new OpenWatch(open, timeout)) : Optional.empty();
    }

    /** Opens a streaming list; empty if the server has none, or if a plain list may work. */
    private Optional<WatchStream> openStreamingList(Duration timeout)
            throws ApiException, InterruptedException {
        if (!streaming) {
            return Optional.empty();
        }
        try {
            metrics.listed();
            return Optional.of(client.watch(type, options, WatchOptions.streamingList(timeout)));
        } catch (ApiException.Invalid | ApiException.BadRequest | ApiException.Unsupported e) {
            streaming = false; // for this informer: another group may have another server
            LOG.log(INFO, () -> "no streaming lists, using plain ones type=" + type + " " + e);
        } catch (ApiException.Gone | ApiException.ServerError e) {
            LOG.log(DEBUG, () -> "streaming list refused type=" + type + " " + e);
        } catch (ApiException.Unreachable e) {
            unanswered++;
            if (unanswered % MOST_BROKEN != 0) { // now and then: a proxy may stop streams alone
                throw e;
            }
        }
        return Optional.empty();
    }

    /** A plain list follows. If no stream reaches its end, as behind some proxies, so does none. */
    private void broken(Exception failure) {
        feed.problem(failure); // the list may take a while
        brokenStreams++;
        streaming = brokenStreams < MOST_BROKEN;
        LOG.log(
                streaming ? DEBUG : INFO,
                () -> "streaming list broke, using a plain one type=" + type + " " + failure);
    }

    /** Watches repeatedly from the last version, until only a list helps. */
    private void watch(Optional<OpenWatch> first)
            throws ApiException, IOException, InterruptedException {
        var open = first;
        for (boolean again = false; ; again = true) {
            while (open.isEmpty()) {
                open = reopen();
            }
            Resumption.Next next;
            try (var stream = open.get().stream();
                    var probe = new Probe(client, type, options, stream)) {
                if (again) {
                    probe.start(feed.version()); // if ahead of the server: silence, no error
                }
                next = consume(open.get(), probe);
            }
            switch (next) {
                case Resumption.Next.List() -> {
                    return;
                }
                case Resumption.Next.Watch(var pause) -> Thread.sleep(pause);
            }
            open = Optional.empty();
        }
    }

    /**
     * Opens a watch; if the server is busy, broken or away, or does not take the token, returns
     * empty after a pause. A list would be no easier for it (ADR 116).
     */
    private Optional<OpenWatch> reopen() throws ApiException, InterruptedException {
        var timeout = timing.watchTimeout();
        try {
            var stream = client.watch(type, options, WatchOptions.from(feed.version(), timeout));
            metrics.watched();
            feed.resumed();
            refused = 0;
            return Optional.of(new OpenWatch(stream, timeout));
        } catch (ApiException.TooManyRequests
                | ApiException.Unreachable
                | ApiException.Unauthorized e) {
            Thread.sleep(pauseAfter(e));
        } catch (ApiException.ServerError e) {
            refused++;
            if (refused % MOST_REFUSED == 0) { // it may be the watch alone that it cannot serve
                throw e;
            }
            Thread.sleep(pauseAfter(e));
        }
        return Optional.empty();
    }

    /** Reads a watch to its end; returns what has to follow. */
    private Resumption.Next consume(OpenWatch open, Probe probe)
            throws ApiException, MalformedWatchException, InterruptedException {
        var nets = new StallNets(timing, open.timeout(), bookmarked, System.nanoTime());
        try {
            while (true) {
                switch (open.stream().next(nets.patience(System.nanoTime()))) {
                    case WatchSignal.Event(var kind, var object) -> {
                        take(kind, object);
                        nets.signal(System.nanoTime(), kind == WatchSignal.Type.BOOKMARK);
                        bookmarked = nets.bookmarked();
                    }
                    case WatchSignal.Idle() -> {
                        if (isDead(nets, probe)) {
                            return probe.wentBack()
                                    ? new Resumption.Next.List()
                                    : new Resumption.Next.Watch(Duration.ZERO);
                        }
                    }
                    case WatchSignal.End(boolean halfLine) -> {
                        return following(nets, halfLine);
                    }
                }
            }
        } catch (ApiException.TooManyRequests e) {
            return new Resumption.Next.Watch(pauseAfter(e));
        } catch (MalformedWatchException e) {
            throw e;
        } catch (IOException e) {
            feed.problem(e); // what follows may take a while
            return probe.wentBack() ? new Resumption.Next.List() : following(nets, false);
        }
    }

    private Resumption.Next following(StallNets nets, boolean halfLine) {
        long now = System.nanoTime();
        var end = nets.end(halfLine, now);
        if (end.lasted().compareTo(timing.shortWatch()) < 0) {
            metrics.endedSoon();
        }
        return resumption.after(end, now);
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
        check(type, object);
        switch (kind) {
            case ADDED, MODIFIED -> feed.update(trim.apply(object));
            case DELETED -> feed.delete(trim.apply(object));
            case BOOKMARK -> feed.bookmark(object.resourceVersion());
        }
    }

    /** Events of another type are not ours, and without a version nothing can follow them. */
    static void check(ResourceType type, KubeObject object) throws MalformedWatchException {
        if (!object.kind().equals(type.kind())
                || !object.apiVersion().equals(type.apiVersion())
                || object.resourceVersion().isEmpty()) {
            throw new MalformedWatchException("watch of " + type + " delivered " + object);
        }
    }
}
