package lvms.tests.runner;

/**
 * The API server that integration tests meet.
 *
 * @param version {@link #OURS}, the one in memory, or the version of a real one
 * @param all tests that only the one in memory can serve meet that one; else they are skipped where
 *     a real server was asked for
 * @param why what a person has to know about the choice; empty: it was asked for
 */
record ServerChoice(String version, boolean all, String why) {
    static final String OURS = "ours";
    static final String NEWEST = "newest";

    /**
     * The newest version of Kubernetes that is pinned.
     *
     * @param version empty: none is
     * @param built whether the cache has its API server
     */
    record Newest(String version, boolean built) {
        static final Newest NONE = new Newest("", false);

        /** Reads what build.sh found. */
        static Newest found() {
            return new Newest(
                    System.getProperty("lvms.newest", ""), Boolean.getBoolean("lvms.newest.built"));
        }
    }

    /**
     * Chooses it.
     *
     * @param asked {@code ours}, {@code newest} or a version; empty: nothing was asked for
     * @param required the real one is built if it is not there
     */
    static ServerChoice of(String asked, boolean required, Newest newest) throws UsageException {
        if (asked.equals(NEWEST) && newest.version().isEmpty()) {
            throw new UsageException("no version of Kubernetes is pinned here");
        }
        if (asked.isEmpty() && !newest.version().isEmpty() && !newest.built() && !required) {
            var why = "kube-apiserver %s is not in the cache (./build.sh programs builds it)";
            return new ServerChoice(OURS, true, why.formatted(newest.version()));
        }
        boolean chosen = asked.isEmpty() && !newest.version().isEmpty();
        if (chosen || asked.equals(NEWEST)) {
            return new ServerChoice(newest.version(), true, "");
        }
        return new ServerChoice(asked.isEmpty() ? OURS : asked, asked.isEmpty(), "");
    }

    boolean real() {
        return !version.equals(OURS);
    }

    /** Says which server the integration tests meet. */
    String sentence() {
        if (!real()) {
            return "integration tests meet the API server in memory"
                    + (why.isEmpty() ? "" : ": " + why);
        }
        return "integration tests meet kube-apiserver "
                + version
                + (all ? ", those marked @OursAlone the server in memory" : "");
    }
}
