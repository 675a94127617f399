package lvms.operator.scheduler;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import lvms.k8s.serving.HttpAnswer;
import lvms.k8s.serving.HttpHandler;
import lvms.k8s.serving.HttpRequest;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Writes a line for each request, with TopoLVM's names for what is in it. Probes are logged at
 * debug.
 */
public record AccessLog(HttpHandler pages) implements HttpHandler {
    private static final System.Logger LOG = System.getLogger(AccessLog.class.getName());

    @Override
    public HttpAnswer answer(HttpRequest request) throws InterruptedException {
        long begin = System.nanoTime();
        var answer = pages.answer(request);
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begin);
        LOG.log(
                request.path().equals("/status") ? DEBUG : INFO,
                () ->
                        "access type=access response_time="
                                + micros / 1e6
                                + " http_status_code="
                                + answer.code()
                                + " http_method="
                                + request.method()
                                + " url="
                                + request.path()
                                + " http_host="
                                + request.header("host").orElse("")
                                + " request_size="
                                + request.body().length
                                + " response_size="
                                + answer.content().length
                                + " remote_ipaddr="
                                + request.client()
                                + " http_user_agent="
                                + request.header("user-agent").orElse("")
                                + reason(answer));
        return answer;
    }

    /** kube-scheduler drops what it is told about a failure. */
    private static String reason(HttpAnswer answer) {
        return answer.code() < 400
                ? ""
                : " reason=" + new String(answer.content(), StandardCharsets.UTF_8).strip();
    }
}
