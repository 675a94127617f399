package lvms.operator.node;

/** Why a claim on a cordoned node is not given up. */
enum DisposalObstacle {
    NODE_IN_USE("the node is not cordoned, or is another one by now"),
    NOT_MARKED("neither the claim nor its class says that it is disposable"),
    ENDING("the claim or its volume is being deleted already"),
    NOT_BOUND("the claim is not bound to its volume"),
    RETAINED("the volume would stay without its claim"),
    OTHER_PLACE("the volume is not one of ours on this node"),
    NO_POD("no pod waits for the claim"),
    IN_USE("a pod names the claim that does not wait for a node, or would not get a new claim"),
    TOO_EARLY("the pod has not waited for long enough"),
    PINNED("another volume keeps the pod on the node"),
    NO_ROOM("no other node has room for the claim");

    private final String text;

    DisposalObstacle(String text) {
        this.text = text;
    }

    /** Returns the reason in words. */
    String text() {
        return text;
    }
}
