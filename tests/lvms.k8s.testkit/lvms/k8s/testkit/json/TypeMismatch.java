package lvms.k8s.testkit.json;

/** A value of a built-in type that cannot be decoded into it. */
public final class TypeMismatch extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public TypeMismatch(String message) {
        super(message);
    }
}
