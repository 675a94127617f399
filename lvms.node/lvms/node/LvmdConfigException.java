package lvms.node;

/** lvmd.yaml cannot be used; the message is one line that says what is wrong in which file. */
public final class LvmdConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    LvmdConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
