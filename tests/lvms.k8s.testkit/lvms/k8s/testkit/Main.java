package lvms.k8s.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Starts a server as a program: {@code [--address IP] [--port N] [--dir FOLDER]}. */
public final class Main {
    private Main() {}

    /** Runs until it is killed; prints one line once it listens. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = Options.defaults();
        for (int i = 0; i < arguments.length; i += 2) {
            if (i + 1 == arguments.length) {
                throw usage();
            }
            var value = arguments[i + 1];
            options =
                    switch (arguments[i]) {
                        case "--address" -> options.address(value);
                        case "--port" -> options.port(Integer.parseInt(value));
                        case "--dir" -> options.directory(Path.of(value));
                        case "--storage-protection" ->
                                options.storageProtection(Boolean.parseBoolean(value));
                        default -> throw usage();
                    };
        }
        try (var server = ApiServer.start(options)) {
            System.out.println("ready " + server.url() + " kubeconfig=" + server.kubeconfig());
            new CountDownLatch(1).await();
        }
    }

    private static IllegalArgumentException usage() {
        return new IllegalArgumentException(
                "usage: [--address IP] [--port N] [--dir FOLDER] [--storage-protection BOOL]");
    }
}
