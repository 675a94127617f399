package lvms.debian;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Plain HTTP or HTTPS. Proxies are those of the JVM's system properties. */
final class Http implements Transfer {
    private static final Duration CONNECT = Duration.ofSeconds(30);
    private static final Duration WHOLE_FILE = Duration.ofMinutes(15);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;

    private final HttpClient client =
            HttpClient.newBuilder()
                    .connectTimeout(CONNECT)
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build();

    @Override
    public boolean fetch(URI from, Path to) throws IOException, InterruptedException {
        int status = send(HttpRequest.newBuilder(from).timeout(WHOLE_FILE).build(), to);
        if (status != OK && status != NOT_FOUND && status != GONE) {
            throw new IOException("HTTP status " + status);
        }
        return status == OK;
    }

    /**
     * The timeout of a request ends with the headers of the answer, this one with its last byte.
     */
    private int send(HttpRequest request, Path to) throws IOException, InterruptedException {
        var answer = client.sendAsync(request, HttpResponse.BodyHandlers.ofFile(to));
        try {
            return answer.get(WHOLE_FILE.toSeconds(), TimeUnit.SECONDS).statusCode();
        } catch (ExecutionException e) {
            var cause = e.getCause();
            var why =
                    cause.getMessage() == null
                            ? cause.getClass().getSimpleName()
                            : cause.getMessage();
            throw new IOException(why, cause);
        } catch (TimeoutException e) {
            throw new IOException("it takes longer than " + WHOLE_FILE.toMinutes() + " minutes", e);
        } finally {
            answer.cancel(true);
        }
    }
}
