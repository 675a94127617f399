package lvms.lvm2.engine;

/**
 * How a command ended.
 *
 * @param status 0 success; 2 no such command, 3 bad parameters, 4 initialization failed, 5
 *     processing failed
 * @param stdout what it printed: reports and its log as JSON
 * @param stderr warnings, and errors that did not get into the log
 * @param libraryNanos time inside LVM's library, in nanoseconds; 0 if it was not measured
 */
public record Reply(int status, String stdout, String stderr, long libraryNanos) {
    /** A reply without a measured time. */
    public Reply(int status, String stdout, String stderr) {
        this(status, stdout, stderr, 0);
    }
}
