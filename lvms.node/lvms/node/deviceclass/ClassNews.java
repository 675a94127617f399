package lvms.node.deviceclass;

/** Whether the device classes of this node are known, and who hears when they change. */
public interface ClassNews {
    /** Returns whether the classes are known yet. */
    boolean known();

    /** Adds a listener; it is called after the classes changed, and must only enqueue work. */
    void onChange(Runnable listener);
}
