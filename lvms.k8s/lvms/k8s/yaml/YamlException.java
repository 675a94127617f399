package lvms.k8s.yaml;

/** Text that is not YAML, or outside the subset; the message starts with the line number. */
public final class YamlException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int line;

    YamlException(int line, String message) {
        super("line " + line + ": " + message);
        this.line = line;
    }

    /** Returns the line of the error, from 1. */
    public int line() {
        return line;
    }
}
