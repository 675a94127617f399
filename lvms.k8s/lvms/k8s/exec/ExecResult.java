package lvms.k8s.exec;

import java.nio.charset.StandardCharsets;

/**
 * How a command ended.
 *
 * @param exitCode its exit code; 128 plus the number of the signal that ended it
 * @param stdout its standard output
 * @param stderr its standard error
 * @param cut whether one of the outputs was longer than the limit, and lost its end
 */
public record ExecResult(int exitCode, byte[] stdout, byte[] stderr, boolean cut) {
    public String stdoutText() {
        return new String(stdout, StandardCharsets.UTF_8);
    }

    public String stderrText() {
        return new String(stderr, StandardCharsets.UTF_8);
    }
}
