package lvms.lvm2;

/**
 * How commands are run now, for a start-up log and for diagnosis.
 *
 * @param kind the engine in use
 * @param reason why this engine is used, in one line
 * @param lvmVersion the version that LVM reports, such as {@code 2.03.16(2)}; empty if unknown
 * @param workerDeaths how many workers have died since LVM was opened
 */
public record EngineStatus(Kind kind, String reason, String lvmVersion, long workerDeaths) {
    /** Makes the reason one line, since it may quote what a dying process printed. */
    public EngineStatus {
        reason = String.join("; ", reason.lines().map(String::strip).toList()).strip();
    }

    /** An engine of which no worker has died. */
    public EngineStatus(Kind kind, String reason, String lvmVersion) {
        this(kind, reason, lvmVersion, 0);
    }

    /** The two engines. */
    public enum Kind {
        /** The library liblvm2cmd in supervised child processes. */
        WORKER,
        /** The {@code lvm} program, started once for each command. */
        EXEC
    }
}
