package lvms.tests.lab.machine;

/**
 * How a command on a node ended.
 *
 * @param status exit status; 127 if it could not be started, 128 + signal if it was killed
 */
public record CommandResult(int status, String out, String err) {
    /** Returns whether the exit status is 0. */
    public boolean succeeded() {
        return status == 0;
    }

    /** Returns standard output without white space around it, or throws with all that is known. */
    public String require(String what) {
        if (status != 0) {
            throw new IllegalStateException(
                    what + ": status " + status + ": " + (out + err).strip());
        }
        return out.strip();
    }
}
