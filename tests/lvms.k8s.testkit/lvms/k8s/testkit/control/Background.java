package lvms.k8s.testkit.control;

import static java.lang.System.Logger.Level.ERROR;

import com.google.gson.JsonObject;

import lvms.k8s.testkit.store.Change;

import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/** One thread that runs the reactions to each change. */
public final class Background implements AutoCloseable {
    /** Something that reacts to changes; it must tolerate seeing a change more than once. */
    @FunctionalInterface
    public interface Reaction {
        void react(String type, JsonObject object, boolean deleted);
    }

    private record Item(String type, JsonObject object, boolean deleted) {}

    private static final System.Logger LOG = System.getLogger(Background.class.getName());

    private final BlockingQueue<Item> queue = new LinkedBlockingQueue<>();
    private final Set<Reaction> reactions = ConcurrentHashMap.newKeySet();
    private final Thread thread;

    public Background() {
        thread = Thread.ofVirtual().name("apiserver-background").unstarted(this::work);
    }

    public void add(Reaction reaction) {
        reactions.add(reaction);
    }

    public void start() {
        thread.start();
    }

    public void changed(String type, Change change) {
        queue.add(new Item(type, change.after(), change.deleted()));
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void work() {
        try {
            while (true) {
                var item = queue.take();
                for (var reaction : reactions) {
                    run(reaction, item);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(Reaction reaction, Item item) {
        try {
            reaction.react(item.type(), item.object(), item.deleted());
        } catch (RuntimeException e) {
            LOG.log(ERROR, () -> "reaction failed type=" + item.type(), e);
        }
    }
}
