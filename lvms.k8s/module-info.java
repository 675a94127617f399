/**
 * Kubernetes: objects, client, informers, work queue, controllers, leader election.
 *
 * <p>It knows nothing of LVM and can be used on its own; {@code docs/k8s.md} documents it.
 */
module lvms.k8s {
    requires java.management;
    requires transitive java.net.http;
    requires com.google.gson;

    exports lvms.k8s.admission;
    exports lvms.k8s.client;
    exports lvms.k8s.config;
    exports lvms.k8s.controller;
    exports lvms.k8s.discovery;
    exports lvms.k8s.election;
    exports lvms.k8s.event;
    exports lvms.k8s.exec;
    exports lvms.k8s.health;
    exports lvms.k8s.informer;
    exports lvms.k8s.metrics;
    exports lvms.k8s.object;
    exports lvms.k8s.queue;
    exports lvms.k8s.serving;
    exports lvms.k8s.tls;
    exports lvms.k8s.tree;
    exports lvms.k8s.typed;
    exports lvms.k8s.websocket;
    exports lvms.k8s.yaml;
}
