package lvms.operator.adoption;

/** A volume cannot be adopted; the message says why. */
public final class NotAdoptable extends Exception {
    private static final long serialVersionUID = 1L;

    public NotAdoptable(String message) {
        super(message);
    }
}
