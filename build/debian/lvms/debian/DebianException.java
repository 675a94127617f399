package lvms.debian;

/** Something that a person has to mend; the message is one line that says what. */
final class DebianException extends Exception {
    private static final long serialVersionUID = 1L;

    DebianException(String message) {
        super(message);
    }
}
