package lvms.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.proto.csi.v1.ControllerGrpc;
import lvms.proto.csi.v1.ControllerGrpc.ControllerBlockingStub;
import lvms.proto.csi.v1.ControllerModifyVolumeRequest;
import lvms.proto.csi.v1.DeleteVolumeRequest;
import lvms.proto.csi.v1.DeleteVolumeResponse;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What every call has from its frame, seen by a caller on a socket. */
@Timeout(30)
@LinuxOnly
class CallsTests {
    private static final Logger LOG = Logger.getLogger(Calls.class.getName());

    @TempDir Path folder;
    private final MetricsRegistry metrics = new MetricsRegistry();
    private final BlockingQueue<LogRecord> logged = new LinkedBlockingQueue<>();
    private final Handler handler = new Recording(logged);
    private final Scripted service = new Scripted();
    private UnixSocketServer server;
    private SocketChannel channel;

    @BeforeEach
    void serve() throws IOException {
        LOG.addHandler(handler);
        LOG.setLevel(Level.ALL);
        LOG.setUseParentHandlers(false);
        var services = CallMetrics.ofServer(metrics).over(List.of(service));
        server =
                UnixSocketServer.inOwnFolder(
                        folder.resolve("s"),
                        CallMetrics.ofDriver("topolvm.io", metrics).over(services));
        server.start();
        channel = new SocketChannel(folder.resolve("s"));
    }

    @AfterEach
    void end() {
        channel.close();
        server.close();
        LOG.removeHandler(handler);
        LOG.setLevel(null);
        LOG.setUseParentHandlers(true);
    }

    /** A service that does what the test says. */
    private static final class Scripted extends ControllerGrpc.ControllerImplBase {
        private Calls calls = Calls.of("the test");
        private Calls.Work<DeleteVolumeResponse> work =
                _ -> DeleteVolumeResponse.getDefaultInstance();
        private final CompletableFuture<Boolean> interruptKept = new CompletableFuture<>();

        @Override
        public void deleteVolume(
                DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> observer) {
            calls.answer("DeleteVolume " + request.getVolumeId(), observer, work);
            interruptKept.complete(Thread.interrupted());
        }
    }

    private static final class Recording extends Handler {
        private final BlockingQueue<LogRecord> records;

        Recording(BlockingQueue<LogRecord> records) {
            this.records = records;
            setLevel(Level.ALL);
        }

        @Override
        public void publish(LogRecord logged) {
            records.add(logged);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private ControllerBlockingStub stub() {
        return ControllerGrpc.newBlockingStub(channel.grpc());
    }

    private static void delete(ControllerBlockingStub stub) {
        stub.deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId("v").build());
    }

    private Status failure() {
        return assertThrows(StatusRuntimeException.class, () -> delete(stub())).getStatus();
    }

    private LogRecord logged() throws InterruptedException {
        var record = logged.poll(10, TimeUnit.SECONDS);
        assertTrue(record != null, "nothing was logged");
        return record;
    }

    /** Quantiles over several drivers need equal bounds, which are those of the sidecars. */
    private void assertBounds() {
        var bounds =
                metrics.text()
                        .lines()
                        .filter(line -> line.startsWith("csi_plugin_operations_seconds_bucket"))
                        .map(line -> line.replaceAll(".*le=\"([^\"]*)\".*", "$1"))
                        .toList();
        assertEquals(
                "0.1 0.25 0.5 1 2.5 5 10 15 25 50 120 300 600 +Inf",
                String.join(" ", bounds).replace(".0 ", " "));
    }

    private void assertMeasured(String code) {
        var text = metrics.text();
        for (var line :
                List.of(
                        "csi_plugin_operations_seconds_count{driver_name=\"topolvm.io\","
                                + "method_name=\"/csi.v1.Controller/DeleteVolume\","
                                + "grpc_status_code=\""
                                + code
                                + "\"} 1",
                        "grpc_server_handled_total{grpc_service=\"csi.v1.Controller\","
                                + "grpc_method=\"DeleteVolume\",grpc_code=\""
                                + code
                                + "\"} 1")) {
            assertTrue(text.contains(line), text);
        }
    }

    @Test
    void anAnswerIsMeasuredAndNotLogged() {
        delete(stub());
        assertMeasured("OK");
        assertBounds();
        assertTrue(logged.isEmpty(), logged::toString);
    }

    @ParameterizedTest
    @EnumSource(names = "OK", mode = EnumSource.Mode.EXCLUDE)
    void everyCodeReachesTheCallerWithItsMessage(StatusCode code) {
        service.work =
                _ -> {
                    throw new VolumeException(code, "no");
                };
        var status = failure();
        assertEquals(code.name(), status.getCode().name());
        assertEquals("no", status.getDescription());
        assertMeasured(CallDurations.name(status.getCode()));
    }

    @ParameterizedTest
    @CsvSource({
        "OK, OK",
        "CANCELLED, Canceled",
        "NOT_FOUND, NotFound",
        "DEADLINE_EXCEEDED, DeadlineExceeded",
        "DATA_LOSS, DataLoss",
        "UNAUTHENTICATED, Unauthenticated"
    })
    void metricsNameACodeAsTheSidecarsDo(Status.Code code, String name) {
        assertEquals(name, CallDurations.name(code));
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_ARGUMENT, FINE",
        "NOT_FOUND, FINE",
        "ABORTED, FINE",
        "OUT_OF_RANGE, FINE",
        "DEADLINE_EXCEEDED, FINE",
        "UNIMPLEMENTED, FINE",
        "FAILED_PRECONDITION, WARNING",
        "ALREADY_EXISTS, WARNING",
        "RESOURCE_EXHAUSTED, WARNING",
        "UNAVAILABLE, WARNING",
        "INTERNAL, WARNING",
        "UNKNOWN, WARNING"
    })
    void aRefusalIsNoErrorInTheLog(StatusCode code, String level) throws Exception {
        service.work =
                _ -> {
                    throw new VolumeException(code, "no");
                };
        failure();
        var record = logged();
        assertEquals(Level.parse(level), record.getLevel());
        assertEquals(
                "call failed call=\"DeleteVolume v\" code=" + code + ": no", record.getMessage());
        assertTrue(record.getThrown() == null, "no stack trace");
    }

    @Test
    void aBugIsAnErrorWithItsTrace() throws Exception {
        service.work =
                _ -> {
                    throw new IllegalStateException("oops");
                };
        var status = failure();
        assertEquals(Status.Code.INTERNAL, status.getCode());
        assertEquals("java.lang.IllegalStateException: oops", status.getDescription());
        assertMeasured("Internal");
        var record = logged();
        assertEquals(Level.SEVERE, record.getLevel());
        assertEquals("call failed by a bug of lvms call=\"DeleteVolume v\"", record.getMessage());
        assertEquals("oops", record.getThrown().getMessage());
    }

    @Test
    void anErrorOfTheMachineIsABugToo() throws Exception {
        service.work =
                _ -> {
                    throw new AssertionError("the descriptor does not match the call");
                };
        assertEquals(Status.Code.INTERNAL, failure().getCode());
        assertEquals(Level.SEVERE, logged().getLevel());
    }

    @Test
    void theServiceSaysWhatItsOwnFailuresMean() throws Exception {
        service.calls = service.calls.withFailures(CallsTests::codeOf);
        service.work =
                _ -> {
                    throw new IOException("disk");
                };
        var status = failure();
        assertEquals(Status.Code.DATA_LOSS, status.getCode());
        assertEquals("disk", status.getDescription());
        assertEquals(Level.WARNING, logged().getLevel());
        service.work =
                _ -> {
                    throw new ClassNotFoundException("x");
                };
        status = failure();
        assertEquals(Status.Code.INTERNAL, status.getCode());
        assertEquals("java.lang.ClassNotFoundException: x", status.getDescription());
        assertEquals(Level.WARNING, logged().getLevel());
    }

    private static Optional<StatusCode> codeOf(Exception failure) {
        return failure instanceof IOException
                ? Optional.of(StatusCode.DATA_LOSS)
                : Optional.empty();
    }

    @Test
    void nothingIsDoneWhileTheServerIsNotReady() {
        service.calls = service.calls.withObstacle(() -> Optional.of("the caches are empty"));
        service.work =
                _ -> {
                    throw new AssertionError("done");
                };
        var status = failure();
        assertEquals(Status.Code.UNAVAILABLE, status.getCode());
        assertEquals("the caches are empty", status.getDescription());
        assertMeasured("Unavailable");
    }

    @Test
    void theCallersCancellationInterruptsTheWork() throws Exception {
        var begun = new CompletableFuture<Void>();
        var ended = new CompletableFuture<Exception>();
        service.work = _ -> sleep(begun, ended);
        try (var caller = Context.current().withCancellation()) {
            var calling = Thread.ofVirtual().start(caller.wrap((Runnable) this::failure));
            begun.get();
            caller.cancel(null);
            calling.join();
        }
        assertEquals(InterruptedException.class, ended.get().getClass());
        assertTrue(service.interruptKept.get());
        var record = logged();
        assertEquals(Level.FINE, record.getLevel());
        assertTrue(record.getMessage().endsWith("code=CANCELLED: the caller gave up"));
    }

    private static DeleteVolumeResponse sleep(
            CompletableFuture<Void> begun, CompletableFuture<Exception> ended)
            throws InterruptedException {
        begun.complete(null);
        try {
            Thread.sleep(Duration.ofMinutes(1));
        } catch (InterruptedException e) {
            ended.complete(e);
            throw e;
        }
        throw new AssertionError("nobody interrupted the work");
    }

    @Test
    void aDeadlineThatPassesInterruptsTheWork() throws Exception {
        var ended = new CompletableFuture<Exception>();
        service.work = _ -> sleep(new CompletableFuture<>(), ended);
        var status =
                assertThrows(
                                StatusRuntimeException.class,
                                () -> delete(stub().withDeadlineAfter(200, TimeUnit.MILLISECONDS)))
                        .getStatus();
        assertEquals(Status.Code.DEADLINE_EXCEEDED, status.getCode());
        assertEquals(InterruptedException.class, ended.get().getClass());
    }

    @Test
    void aProcessThatEndsSaysSoAndKeepsTheInterrupt() throws Exception {
        service.work =
                _ -> {
                    throw new InterruptedException();
                };
        var status = failure();
        assertEquals(Status.Code.UNAVAILABLE, status.getCode());
        assertEquals("the test ends", status.getDescription());
        assertTrue(service.interruptKept.get());
        assertEquals(Level.FINE, logged().getLevel());
    }

    @Test
    void anAnswerLeavesNoInterruptBehind() throws Exception {
        delete(stub().withDeadlineAfter(20, TimeUnit.SECONDS));
        assertFalse(service.interruptKept.get());
    }

    @Test
    void theWorkLearnsHowLongTheCallerWaits() throws Exception {
        var given = new LinkedBlockingQueue<Duration>();
        service.work =
                timeout -> {
                    given.add(timeout);
                    return DeleteVolumeResponse.getDefaultInstance();
                };
        delete(stub().withDeadlineAfter(20, TimeUnit.SECONDS));
        var left = given.take();
        assertTrue(left.compareTo(Duration.ofSeconds(20)) <= 0, left::toString);
        assertTrue(left.compareTo(Duration.ofSeconds(5)) > 0, left::toString);
        delete(stub());
        assertEquals(Duration.ofMinutes(2), given.take());
        delete(stub().withDeadlineAfter(2, TimeUnit.HOURS));
        assertEquals(Duration.ofMinutes(10), given.take());
    }

    @Test
    void aMethodThatNobodyServesIsMeasuredToo() {
        var status =
                assertThrows(
                                StatusRuntimeException.class,
                                () ->
                                        stub().controllerModifyVolume(
                                                        ControllerModifyVolumeRequest
                                                                .getDefaultInstance()))
                        .getStatus();
        assertEquals(Status.Code.UNIMPLEMENTED, status.getCode());
        assertTrue(
                metrics.text()
                        .contains(
                                "method_name=\"/csi.v1.Controller/ControllerModifyVolume\","
                                        + "grpc_status_code=\"Unimplemented\"} 1"),
                metrics.text());
    }
}
