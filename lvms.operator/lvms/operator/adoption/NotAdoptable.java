package lvms.operator.adoption;

/** A volume cannot be adopted; the message says why. */
public final class NotAdoptable extends Exception {
    private static final long serialVersionUID = 1L;

    NotAdoptable(String message) {
        super(message);
    }
}
