package lvms.lvm2;

import java.util.Optional;

/**
 * How commands are run now, for a start-up log and for diagnosis.
 *
 * @param kind the engine in use
 * @param reason why this engine is used, in one line
 * @param lvmVersion the version that LVM reports, such as {@code 2.03.16(2)}; empty if unknown
 * @param workerDeaths how many workers have died since LVM was opened
 * @param asynchronous why the machine's {@code use_aio} counts, which costs each command 30 to 40
 *     ms if it is 1; empty if it does not count
 */
public record EngineStatus(
        Kind kind,
        String reason,
        String lvmVersion,
        long workerDeaths,
        Optional<String> asynchronous) {
    /** Makes the reason one line, since it may quote what a dying process printed. */
    public EngineStatus {
        reason = String.join("; ", reason.lines().map(String::strip).toList()).strip();
    }

    /** An engine of which no worker has died. */
    public EngineStatus(Kind kind, String reason, String lvmVersion) {
        this(
                kind,
                reason,
                lvmVersion,
                0,
                kind == Kind.EXEC
                        ? Optional.of("the lvm program is run for each command")
                        : Optional.empty());
    }

    /** The two engines. */
    public enum Kind {
        /** The library liblvm2cmd in supervised child processes. */
        WORKER,
        /** The {@code lvm} program, started once for each command. */
        EXEC
    }
}
