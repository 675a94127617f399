package lvms.node.erasure;

/**
 * A volume cannot be handed out yet: it is being zeroed, or filled with the content of another one.
 * Asking again later continues.
 */
public final class StillErasing extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Erasure erasure;

    /** Says which volume. */
    public StillErasing(Erasure erasure) {
        super(
                erasure.volume()
                        + (erasure.kind() == Erasure.Kind.COPY
                                ? " is being filled"
                                : " is being zeroed"));
        this.erasure = erasure;
    }

    /** Returns how far it is. */
    public Erasure erasure() {
        return erasure;
    }
}
