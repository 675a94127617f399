package lvms.tests.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/** The process of the API server, and requests of its administrator. */
final class ApiServerProcess implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final Pattern NAME = Pattern.compile("(?m)^  name: (\\S+)$");
    private static final Pattern ESTABLISHED =
            Pattern.compile("\"type\":\\s*\"Established\",\\s*\"status\":\\s*\"True\"");
    private static final String DEFINITIONS =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";

    private final Daemon daemon;
    private final ServerRequests requests;

    private ApiServerProcess(Daemon daemon, ServerRequests requests) {
        this.daemon = daemon;
        this.requests = requests;
    }

    static ApiServerProcess of(PlaneCommands commands, Path log) throws IOException {
        var requests = new ServerRequests(commands.server(), commands.credentials().adminToken());
        return new ApiServerProcess(new Daemon(commands.apiServer(), log), requests);
    }

    /** Starts it, if it does not run, and waits until it is ready. */
    void start() throws IOException {
        daemon.start();
        await("the API server to be ready", () -> requests.get("/readyz").statusCode() == 200);
    }

    void freeze() throws IOException {
        daemon.signal("STOP");
    }

    void thaw() throws IOException {
        daemon.signal("CONT");
    }

    /** Applies a definition of custom resources and waits until they can be used. */
    void define(String yaml) throws IOException {
        var name = NAME.matcher(yaml);
        if (!name.find()) {
            throw new IOException("a definition without a name");
        }
        var path = DEFINITIONS + name.group(1);
        var query = "?fieldManager=cluster&force=true";
        requests.change("PATCH", path + query, "application/apply-patch+yaml", yaml);
        await(name.group(1), () -> ESTABLISHED.matcher(requests.get(path).body()).find());
    }

    String metrics() throws IOException {
        return requests.get("/metrics").body();
    }

    private void await(String what, Check check) throws IOException {
        var deadline = Instant.now().plus(DEADLINE);
        while (!answersYes(check)) {
            if (!daemon.runs()) {
                throw new IOException("kube-apiserver ended: " + lastLine());
            }
            if (Instant.now().isAfter(deadline)) {
                throw new IOException(what + ": not within " + DEADLINE + ", see " + daemon.log());
            }
            Pause.briefly();
        }
    }

    private static boolean answersYes(Check check) throws InterruptedIOException {
        try {
            return check.passes();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            return false; // nobody listens yet
        }
    }

    private String lastLine() throws IOException {
        var lines = Files.readAllLines(daemon.log());
        return (lines.isEmpty() ? "" : lines.getLast() + " ") + "(" + daemon.log() + ")";
    }

    void kill() throws IOException {
        daemon.kill();
    }

    Daemon daemon() {
        return daemon;
    }

    @Override
    public void close() throws IOException {
        requests.close();
        kill();
    }

    private interface Check {
        boolean passes() throws IOException;
    }
}
