package lvms.k8s.testkit.json;

/** A value that cannot be decoded into its built-in type. */
public final class TypeMismatch extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public TypeMismatch(String message) {
        super(message);
    }
}
