package lvms.operator.adoption;

/** What a person asked for a volume cannot be done; the message says why. */
public final class NotAdoptable extends Exception {
    private static final long serialVersionUID = 1L;

    public NotAdoptable(String message) {
        super(message);
    }
}
