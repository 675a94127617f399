package lvms.k8s.testkit.patch;

/** A patch that cannot be applied. */
public final class PatchFailure extends Exception {
    private static final long serialVersionUID = 1;

    PatchFailure(String message) {
        super(message);
    }
}
