package lvms.k8s.exec;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs commands in pods with the client's credentials. Any thread may use it.
 *
 * <p>It needs {@code create} and {@code get} of {@code pods/exec}: which of the two a server asks
 * about depends on its version, since a WebSocket begins with a GET.
 *
 * <p>Source: {@code remotecommand} of Kubernetes, with the subprotocols {@code v5.channel.k8s.io}
 * (KEP-4006) and, where that is not known, {@code v4.channel.k8s.io}. They differ in how standard
 * input ends, and there is none here.
 *
 * @param deadline of a command from the end of the handshake to its exit code
 * @param maxBytes how much of each output is kept; the rest is read and dropped
 */
public record PodExec(KubeClient kube, Duration deadline, int maxBytes) {
    private static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");

    /**
     * Runs a command to its end, and never through a shell. An interrupt, or the deadline, ends the
     * connection; whether the command goes on then is up to the container runtime.
     *
     * @param container name of the container
     * @throws ApiException if the API server refuses, such as without the right to do this
     * @throws ExecException if the command could not be started, or its end is not known
     */
    public ExecResult run(ObjectKey pod, String container, List<String> command)
            throws ApiException, ExecException, InterruptedException {
        var what = "exec " + command.getFirst() + " in pod " + pod;
        var target = Targets.exec(container, command, false);
        var socket = PodStreams.of(kube).open(pod, target, PROTOCOLS);
        var channels = new Channels(maxBytes);
        var reading = new FutureTask<>(() -> channels.status(socket));
        Thread.ofVirtual().name("exec").start(reading);
        try {
            var status = reading.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
            return channels.result(ExecStatus.exitCode(status, what));
        } catch (TimeoutException e) {
            throw new ExecException(what + ": it did not end within " + deadline, e);
        } catch (ExecutionException e) {
            throw new ExecException(what + ": " + e.getCause().getMessage(), e.getCause());
        } finally {
            socket.abort();
        }
    }
}
