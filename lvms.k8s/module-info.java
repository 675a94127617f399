/**
 * Kubernetes: objects, client, informers, work queue, controllers, leader election.
 *
 * <p>Knows nothing of LVM and is usable alone; {@code docs/k8s.md} is its page of documentation.
 */
module lvms.k8s {
    requires java.net.http;
    requires transitive com.google.gson;

    exports lvms.k8s.object;
}
