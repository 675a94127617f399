package lvms.k8s.client;

import lvms.k8s.client.body.FeedStream;
import lvms.k8s.client.wire.Call;
import lvms.k8s.client.wire.Urls;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Times;
import lvms.k8s.object.Types;
import lvms.k8s.websocket.WebSocket;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What the kubelet of a pod's node hands out by way of the API server: logs, and WebSockets. */
record KubeletStreams(Caller caller, ObjectKey pod) {
    private static final int LOG_LINES = 50_000;
    private static final int LOG_BYTES = 8 << 20;

    /** Reads the last lines of a container's log. */
    byte[] log(String container, boolean previous, Optional<Instant> since)
            throws ApiException, InterruptedException {
        var query =
                new Urls.Query()
                        .with("container", container)
                        .with("previous", previous ? "true" : "")
                        .with("sinceTime", since.map(Times::seconds).orElse(""))
                        .with("timestamps", "true")
                        .with("tailLines", Integer.toString(LOG_LINES))
                        .with("limitBytes", Integer.toString(LOG_BYTES));
        return caller.bytes(Call.log(path("log" + query), subject()));
    }

    /** Opens a container's log, which is read while it comes. */
    FeedStream openLog(LogOptions log) throws ApiException, InterruptedException {
        var query =
                new Urls.Query()
                        .with("container", log.container())
                        .with("follow", log.follow() ? "true" : "")
                        .with("previous", log.previous() ? "true" : "")
                        .with("sinceTime", log.since().map(Times::seconds).orElse(""))
                        .with("timestamps", log.timestamps() ? "true" : "")
                        .with("tailLines", text(log.tailLines()));
        return caller.stream(Call.growingLog(path("log" + query), subject()));
    }

    private static String text(OptionalLong number) {
        return number.isPresent() ? Long.toString(number.getAsLong()) : "";
    }

    /**
     * Opens a WebSocket.
     *
     * @param subresource with its query, whose values are escaped
     */
    WebSocket open(String subresource, List<String> protocols)
            throws ApiException, InterruptedException {
        var verb = subresource.replaceFirst("\\?.*", "");
        return caller.socket(Call.upgrade(verb, path(subresource), subject()), protocols);
    }

    private String path(String subresource) {
        return Urls.object(Types.POD, pod) + "/" + subresource;
    }

    private String subject() {
        return Types.POD + " " + pod;
    }
}
