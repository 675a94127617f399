/**
 * A Kubernetes API server in memory, for tests and demonstrations: real kubectl and real clients
 * talk to it over HTTPS.
 *
 * <p>It keeps the rules of a kube-apiserver that clients can see: status codes, reasons, resource
 * versions, watches, patches, field ownership, validation. It refuses what it does not support. It
 * runs only the controllers for garbage collection, namespace deletion and establishing custom
 * resource definitions. {@code docs/testkit.md} documents it; ADR 17 says what it will never
 * become.
 */
module lvms.k8s.testkit {
    requires com.google.gson;
    requires java.net.http;
    requires transitive lvms.k8s;

    exports lvms.k8s.testkit;
    exports lvms.k8s.testkit.tls;
}
