package lvms.k8s.testkit.store;

/** A revision so old that the changes after it are no longer kept. */
public final class Expired extends Exception {
    private static final long serialVersionUID = 1;

    private final long asked;

    Expired(long asked, long oldest) {
        super("too old resource version: " + asked + " (" + oldest + ")");
        this.asked = asked;
    }

    /** The revision asked for. */
    public long asked() {
        return asked;
    }
}
