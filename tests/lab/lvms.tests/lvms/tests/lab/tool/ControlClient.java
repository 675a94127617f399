package lvms.tests.lab.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The client's side of a tool that holds machines in a process of its own.
 *
 * @param socket where the process listens
 * @param what it holds, for messages: {@code lab}
 * @param log the process' output
 */
public record ControlClient(ControlSocket socket, String what, String log) {
    private static final Duration UP = Duration.ofMinutes(5);
    private static final Duration END = Duration.ofSeconds(30);

    /** Sends a request, prints its answer and returns its status. */
    public int ask(List<String> words) {
        try {
            var answer = socket.ask(words);
            System.out.print(answer.out());
            System.err.print(answer.err());
            System.out.flush();
            return answer.status();
        } catch (IOException e) {
            System.err.printf(
                    "no %s is up here (%s): ./build.sh %s up%n", what, e.getMessage(), what);
            return 1;
        }
    }

    /** Waits until the process answers, and returns whether it does. */
    public boolean await(long server) throws InterruptedException {
        long deadline = System.nanoTime() + UP.toNanos();
        while (System.nanoTime() < deadline && ProcessHandle.of(server).isPresent()) {
            try {
                System.out.print(socket.ask(List.of("status")).out());
                return true;
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(100); // not up yet
            }
        }
        System.err.printf("the %s did not come up: see %s%n", what, log);
        ProcessHandle.of(server).ifPresent(ProcessHandle::destroy);
        return false;
    }

    /** Ends the process and waits until its network, the last of it, is gone. */
    public int down() throws IOException, InterruptedException {
        int status = ask(List.of("end"));
        long deadline = System.nanoTime() + END.toNanos();
        while (status == 0 && System.nanoTime() < deadline) {
            try {
                socket.ask(List.of("status"));
                TimeUnit.MILLISECONDS.sleep(100);
            } catch (IOException e) {
                break;
            }
        }
        Files.deleteIfExists(socket.path());
        return status;
    }
}
