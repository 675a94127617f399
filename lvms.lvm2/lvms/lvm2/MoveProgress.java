package lvms.lvm2;

/** Receives the progress of a move, on the thread that asked for the move. */
@FunctionalInterface
public interface MoveProgress {
    /** Ignores the progress. */
    MoveProgress NONE = _ -> {};

    /**
     * Reports that the move is running.
     *
     * @param percent how much has been copied, 0 to 100
     */
    void moved(double percent);
}
