package lvms.operator.topolvmcluster;

/** What a TopolvmCluster says of a class, in the words of NativeStor. */
enum ClassMessage {
    CREATED("create successful"),
    CREATE_FAILED("create failed"),
    GROUP_EXISTS("create failed vg existing"),
    EXPAND_WARNING("expand warning"),
    EXPAND_ERROR("expand error"),
    SHRINK_ERROR("shrink error"),
    DELETE_ERROR("delete error");

    private final String text;

    ClassMessage(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /** Returns the words, and behind them what the node says. */
    String with(String reason) {
        return reason.isEmpty() ? text : text + ": " + reason;
    }
}
