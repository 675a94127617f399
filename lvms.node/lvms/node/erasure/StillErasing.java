package lvms.node.erasure;

/** A volume cannot be handed out yet: it is being zeroed. Asking again later continues. */
public final class StillErasing extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Erasure erasure;

    StillErasing(Erasure erasure) {
        super(erasure.volume() + " is being zeroed");
        this.erasure = erasure;
    }

    /** Returns how far it is. */
    public Erasure erasure() {
        return erasure;
    }
}
