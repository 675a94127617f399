package lvms.k8s.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.FakeServer.Reply;
import lvms.k8s.client.FakeServer.Request;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A client, and a server that answers exactly what a test wants. */
@Timeout(60)
abstract class KubeClientCase {
    static final ObjectKey A = ObjectKey.of("ns", "a");

    private final List<AutoCloseable> opened = new ArrayList<>();
    private FakeServer server;

    interface Numbered {
        void answer(int number, Request request, Reply reply)
                throws IOException, InterruptedException;
    }

    @AfterEach
    final void closeAll() throws Exception {
        for (var closeable : opened.reversed()) {
            closeable.close();
        }
    }

    /** Closes it after the test, the last first. */
    final <T extends AutoCloseable> T closing(T closeable) {
        opened.add(closeable);
        return closeable;
    }

    final void serve(FakeServer.Script script) throws Exception {
        server = closing(FakeServer.start(script));
    }

    final KubeClient client(FakeServer.Script script) throws Exception {
        serve(script);
        return closing(server.client());
    }

    final KubeClient hurried(FakeServer.Script script, Duration deadline) throws Exception {
        return closing(client(script).dedicated("hurried", deadline));
    }

    /** Requests are numbered from 1. */
    static FakeServer.Script numbered(Numbered script) {
        var number = new AtomicInteger();
        return (request, reply) -> script.answer(number.incrementAndGet(), request, reply);
    }

    final FakeServer server() {
        return server;
    }

    final Request only() {
        assertEquals(1, server.requests().size(), () -> server.requests().toString());
        return server.requests().getFirst();
    }

    /** A read on a thread of its own, and how it failed. */
    static final class Caller {
        final AtomicReference<Exception> failure = new AtomicReference<>();
        final Thread thread;

        Caller(KubeClient client) {
            thread = Thread.ofVirtual().start(() -> read(client));
        }

        private void read(KubeClient client) {
            try {
                client.get(Types.CONFIG_MAP, A);
            } catch (ApiException | InterruptedException e) {
                failure.set(e);
            }
        }

        /** Interrupts it, and checks that this is what ended it. */
        void endByInterrupt() throws InterruptedException {
            thread.interrupt();
            assertTrue(thread.join(Duration.ofSeconds(30)));
            assertInstanceOf(InterruptedException.class, failure.get());
        }
    }
}
