package lvms.tests.bench.k8s;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * A server of pods for the clients that are compared, in a process of its own: it sends bytes that
 * were made ahead, over plain HTTP and without compression. Arguments: number of pods, whether they
 * have managedFields.
 *
 * <p>It prints {@code port NUMBER}. A line {@code events COUNT RATE MARK} on its standard input
 * lets it send that many updates on the last watch, one pod after the other, {@code RATE} a second
 * or, if that is 0, as fast as they are taken; then it prints {@code sent COUNT}. It ends with its
 * input.
 */
final class PodServer {
    private static final long FIRST_VERSION = 1_000_000_000L;
    private static final String REFUSAL =
            """
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Invalid",\
            "message":"sendInitialEvents is forbidden","code":422}\
            """;
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private final PodBytes[] pods;
    private final BlockingDeque<Chunks> watches = new LinkedBlockingDeque<>();
    private long version; // of the last event; the commands' thread

    private PodServer(PodBytes[] pods) {
        this.pods = pods;
        version = listVersion();
    }

    public static void main(String[] args) throws IOException {
        var pods = PodBytes.of(Integer.parseInt(args[0]), Boolean.parseBoolean(args[1]));
        var server = new PodServer(pods);
        try (var socket = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().start(server::commands);
            System.out.println("size " + pods[0].size());
            System.out.println("port " + socket.getLocalPort());
            while (true) {
                var connection = socket.accept();
                Thread.ofPlatform().daemon().start(() -> server.serve(connection));
            }
        }
    }

    private long listVersion() {
        return FIRST_VERSION + pods.length;
    }

    private void commands() {
        try (var in = new BufferedReader(new InputStreamReader(System.in))) {
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                var words = line.split(" ");
                int count = Integer.parseInt(words[1]);
                events(count, Integer.parseInt(words[2]), words[3].charAt(0));
                System.out.println("sent " + count);
            }
            System.exit(0);
        } catch (IOException | InterruptedException e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private void events(int count, int rate, char mark) throws IOException, InterruptedException {
        var watch = watches.takeLast();
        watches.addLast(watch);
        long begun = System.nanoTime();
        for (int i = 0; i < count; i++) {
            if (rate > 0) {
                watch.flush();
                await(begun + i * 1_000_000_000L / rate);
            }
            version++;
            watch.write(
                    "{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",");
            pod(watch, i % pods.length, version, mark);
            watch.write("}\n");
        }
        watch.flush();
    }

    private static void await(long nanoTime) {
        for (long left = nanoTime - System.nanoTime();
                left > 0;
                left = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void pod(Chunks out, int i, long of, char mark) throws IOException {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        pods[i].write(out, of, mark, now);
    }

    private void serve(Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            var in = new BufferedInputStream(connection.getInputStream());
            var out = new Chunks(connection.getOutputStream());
            for (var query = request(in); !query.isEmpty(); query = request(in)) {
                answer(query, out);
            }
        } catch (IOException e) {
            System.err.println("a connection ended: " + e);
        }
    }

    /** Returns the target of a request, or empty text at the end of the connection. */
    private static String request(InputStream in) throws IOException {
        var first = line(in);
        if (first.isEmpty()) {
            return "";
        }
        while (!line(in).isEmpty()) {
            // a GET has no body, and no header matters
        }
        return first.split(" ")[1];
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private void answer(String target, Chunks out) throws IOException {
        if (!target.startsWith("/api/v1/pods")) {
            out.head("404 Not Found");
            out.end();
        } else if (target.contains("sendInitialEvents=true")) {
            out.head("422 Unprocessable Entity"); // so that all clients read a plain list
            out.write(REFUSAL);
            out.end();
        } else if (target.contains("watch=")) {
            out.head("200 OK");
            out.flush();
            watches.addLast(out);
        } else {
            out.head("200 OK");
            list(out, number(target, "limit="), number(target, "continue="));
            out.end();
        }
    }

    private static int number(String target, String name) {
        int at = target.indexOf(name);
        if (at < 0) {
            return 0;
        }
        var digits = NUMBER.matcher(target).region(at + name.length(), target.length());
        return digits.lookingAt() ? Integer.parseInt(digits.group()) : 0;
    }

    private void list(Chunks out, int limit, int from) throws IOException {
        int to = limit == 0 ? pods.length : Math.min(pods.length, from + limit);
        var rest =
                to == pods.length
                        ? ""
                        : ",\"continue\":\"%d\",\"remainingItemCount\":%d"
                                .formatted(to, pods.length - to);
        out.write(
                "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{"
                        + "\"resourceVersion\":\"%d\"%s},\"items\":["
                                .formatted(listVersion(), rest));
        for (int i = from; i < to; i++) {
            if (i > from) {
                out.write(",");
            }
            out.write("{");
            pod(out, i, FIRST_VERSION + i, 'S');
        }
        out.write("]}\n");
    }
}
