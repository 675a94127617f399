package lvms.operator.takeover;

/** What becomes of an object of the predecessor. */
enum Fate {
    /** It stays as it is. */
    KEPT("kept"),

    /** It stays, and is changed. */
    CHANGED("changed"),

    /** It goes, and comes back if the place is given back. */
    REMOVED("removed"),

    /** Helm removes it with an upgrade, and brings it back with a rollback. */
    BY_HELM("removed"),

    /** It goes on existing in another group. */
    MOVED("moved"),

    /** It goes, and nobody needs it again. */
    ENDED("ended"),

    /** It harms nobody, and goes when the take-over is confirmed. */
    LEFT_OVER("left over");

    private final String word;

    Fate(String word) {
        this.word = word;
    }

    @Override
    public String toString() {
        return word;
    }
}
