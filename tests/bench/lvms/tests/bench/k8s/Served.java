package lvms.tests.bench.k8s;

import java.io.IOException;
import java.util.List;

/** A {@link PodServer} that runs. */
final class Served implements AutoCloseable {
    private final int pods;
    private final Peer server;
    private final long podBytes;
    private final long port;

    Served(int pods, boolean managedFields) throws Exception {
        this.pods = pods;
        server =
                new Peer(
                        "server",
                        List.of(
                                System.getProperty("java.home") + "/bin/java",
                                "-XX:+UseSerialGC",
                                "-Xmx2g",
                                "--class-path",
                                System.getProperty("java.class.path"),
                                PodServer.class.getName(),
                                Integer.toString(pods),
                                Boolean.toString(managedFields)));
        podBytes = server.await("size")[0];
        port = server.await("port")[0];
    }

    int pods() {
        return pods;
    }

    long podBytes() {
        return podBytes;
    }

    long port() {
        return port;
    }

    /** Sends updates, one pod after the other; returns when all are written. */
    void events(int count, int perSecond, char mark) throws Exception {
        server.say("events " + count + " " + perSecond + " " + mark);
        server.await("sent");
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
