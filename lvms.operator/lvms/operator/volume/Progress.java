package lvms.operator.volume;

/**
 * How far an operation is.
 *
 * @param <T> its result
 */
public sealed interface Progress<T> {
    /**
     * It is done.
     *
     * @param result its result
     * @param <T> type of the result
     */
    record Converged<T>(T result) implements Progress<T> {}

    /**
     * The node is at work; a change of the object is the reason to look again.
     *
     * @param name name of the LogicalVolume to watch
     * @param <T> type of the result
     */
    record Pending<T>(String name) implements Progress<T> {}
}
