package lvms.node.erasure;

/** Whoever wants long work on the content of a device. Any thread may call. */
public interface Work {
    /** Returns whether nobody wants it any more. */
    boolean stopped();

    /** Is told how far it is. */
    void progress(long done, long total);

    /** Is told up to where it is done after a power cut, too. */
    default void durable(long done) {}
}
