/**
 * WebSockets (RFC 6455) to a server that speaks HTTP/1.1, with blocking reads and whole messages.
 *
 * <p>Begin with {@link lvms.k8s.websocket.Handshake}; {@link lvms.k8s.client.KubeClient#socket}
 * makes one with a client's credentials.
 *
 * {@snippet :
 * var protocols = List.of("v5.channel.k8s.io");
 * try (var socket = kube.socket(pod.key(), "exec?command=ls&stdout=true", protocols)) {
 *     while (socket.receive() instanceof Received.Message(var bytes)) {
 *         System.out.write(bytes, 1, bytes.length - 1); // the first byte is the channel
 *     }
 * }
 * }
 *
 * <p>Messages are bytes of at most 1 MiB; text and extensions are refused. What the streams mean is
 * left to the packages that use it, such as {@link lvms.k8s.exec}.
 */
package lvms.k8s.websocket;
