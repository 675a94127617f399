package lvms.k8s.exec;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.websocket.WebSocket;

import java.time.Duration;
import java.util.List;

/**
 * Opens WebSockets to subresources of pods, and keeps them alive.
 *
 * @param pings period of pings; a server that is silent for three of them is dead
 */
record PodStreams(KubeClient kube, Duration pings) {
    /** Three fit into a minute, and one into what the most impatient balancers allow (30 s). */
    private static final Duration PINGS = Duration.ofSeconds(20);

    static PodStreams of(KubeClient kube) {
        return new PodStreams(kube, PINGS);
    }

    WebSocket open(ObjectKey pod, String target, List<String> protocols)
            throws ApiException, InterruptedException {
        var socket = kube.socket(pod, target, protocols);
        socket.keepAlive(pings);
        return socket;
    }
}
