package lvms.tests.lab.kubelet;

import lvms.k8s.object.KubeObject;

/** What a pod is given to talk to the API server. */
public interface Credentials {
    /** A bearer token of the pod's service account, which names the pod and its node. */
    String token(KubeObject pod);

    /** The authority's certificate, PEM. */
    String caPem();

    /** The server's host. */
    String host();

    /** The server's port. */
    int port();
}
