package lvms.k8s.informer;

import lvms.k8s.object.KubeObject;

import java.util.List;

/** Takes what the list and watch loop learns, in order. Called from one thread. */
interface Feed {
    /** The whole state as of a version. */
    void replace(List<KubeObject> items, String version);

    /** An object was added or changed. */
    void update(KubeObject object);

    /** An object is gone; this was its last state. */
    void delete(KubeObject last);

    /** Nothing more changed up to a version. */
    void bookmark(String version);

    /** The server has taken a watch again. */
    void resumed();

    /** The loop cannot follow the server for now. */
    void problem(Throwable failure);

    /** Returns the version up to which everything was taken. */
    String version();

    /** Returns whether nobody wants to follow any more. */
    boolean ended();
}
