package lvms.launcher.flag;

import lvms.k8s.object.Durations;

import java.time.Duration;

/** Flags that take durations as programs in Go do. */
public final class GoDuration {
    private GoDuration() {}

    /**
     * Reads a duration above zero.
     *
     * @throws UsageException with the flag's name
     */
    public static Duration of(Flags flags, String flag) throws UsageException {
        var text = flags.text(flag);
        return Durations.read(text)
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "flag --"
                                                + flag
                                                + "="
                                                + text
                                                + ": must be a time such as 15s or 1m30s"));
    }
}
