package lvms.k8s.exec;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;

/**
 * The last word about a command: a {@code Status} on the error channel.
 *
 * <p>Source: {@code remotecommand} of k8s.io/apimachinery: a failure with the reason {@code
 * NonZeroExitCode} has a cause {@code ExitCode}, whose message is the number. Any other failure
 * means that the command did not run.
 */
final class ExecStatus {
    private ExecStatus() {}

    /**
     * Returns the exit code.
     *
     * @throws ExecException if there is none, with the server's words
     */
    static int exitCode(String text, String what) throws ExecException {
        var status = parsed(text, what);
        if (status.text("status").orElse("").equals("Success")) {
            return 0;
        }
        if (status.text("reason").orElse("").equals("NonZeroExitCode")) {
            for (var cause : status.objects("details", "causes")) {
                var number = cause.text("message").orElse("");
                if (cause.text("reason").orElse("").equals("ExitCode")
                        && number.matches("\\d{1,9}")) {
                    return Integer.parseInt(number);
                }
            }
        }
        throw new ExecException(what + ": " + status.text("message").orElse(text), null);
    }

    private static ObjectTree parsed(String text, String what) throws ExecException {
        try {
            if (Json.parse(text) instanceof ObjectTree status) {
                return status;
            }
        } catch (JsonException e) {
            throw new ExecException(what + ": " + text.strip(), e);
        }
        throw new ExecException(what + ": " + text.strip(), null);
    }
}
