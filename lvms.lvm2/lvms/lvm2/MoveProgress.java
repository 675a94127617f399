package lvms.lvm2;

/** Hears how far a move is, on the thread that asked for the move. */
@FunctionalInterface
public interface MoveProgress {
    /** A listener that is not interested. */
    MoveProgress NONE = _ -> {};

    /**
     * The move runs.
     *
     * @param percent how much is copied, 0 to 100
     */
    void moved(double percent);
}
