package lvms.node.vgmanager;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Adds to the failure of a test what the node agent printed last: its node is gone afterwards. */
final class AgentLog implements TestExecutionExceptionHandler {
    private static final int LINES = 60;
    private static volatile Path file = Path.of("agent.log");

    /** Names the log of the agents of this JVM's tests. */
    static void is(Path log) {
        file = log;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure)
            throws Throwable {
        var printed = new AssertionError("the node agent printed last:\n" + tail());
        printed.setStackTrace(new StackTraceElement[0]);
        failure.addSuppressed(printed);
        throw failure;
    }

    private static String tail() {
        try {
            List<String> lines = Files.readAllLines(file);
            return String.join(
                    "\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
        } catch (IOException e) {
            return "nothing: " + e;
        }
    }
}
