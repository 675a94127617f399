package lvms.k8s.client;

/** What a delete call achieved. */
public enum Deletion {
    /** The object no longer exists, or an object with another UID has taken its name. */
    GONE,
    /** Deletion has begun; finalizers or a grace period keep the object for now. */
    IN_PROGRESS
}
