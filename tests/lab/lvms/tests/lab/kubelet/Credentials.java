package lvms.tests.lab.kubelet;

/** What a pod is given to talk to the API server. */
public interface Credentials {
    /** A bearer token of the service account. */
    String token(String namespace, String serviceAccount);

    /** The authority's certificate, PEM. */
    String caPem();

    /** The server's host. */
    String host();

    /** The server's port. */
    int port();
}
