package lvms.launcher;

import static io.grpc.Status.Code.NOT_FOUND;

import static lvms.node.lvmd.LvmdClient.refused;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.node.lvmd.LvmdClient;
import lvms.node.vgmanager.LoopDiskCase;
import lvms.tests.lab.machine.LoopDisks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code lvmd} as a unit or manifest of TopoLVM starts it: Prometheus finds its page. */
@Timeout(120)
class LvmdCommandTests extends LoopDiskCase {
    @Test
    void itsPageCountsTheCallsThatItAnswered() throws Exception {
        var vg = "lvmdpage" + ProcessHandle.current().pid();
        LoopDisks.run("vgcreate", "-y", vg, disks.add(64 * MIB).toString());
        var socket = folder.resolve("lvmd.sock");
        int port = Program.freePort();
        try (var program =
                Program.start(
                        folder,
                        "lvmd",
                        Map.of(),
                        "--config=" + config(socket, vg),
                        "--metrics-bind-address=127.0.0.1:" + port)) {
            program.says("lvmd serves classes=[ssd]");
            try (var client = new LvmdClient(socket)) {
                assertEquals(List.of(), client.list("ssd"));
                assertEquals(60 * MIB, client.freeBytes("ssd"));
                refused(NOT_FOUND, () -> client.list("none"));
            }
            var page = page(port);
            assertTrue(page.contains(calls("GetLVList", "OK")), page);
            assertTrue(page.contains(calls("GetLVList", "NotFound")), page);
            assertTrue(page.contains(calls("GetFreeBytes", "OK")), page);
            assertTrue(page.contains("\nprocess_start_time_seconds "), page);
            assertEquals(0, program.end(), program.log());
        }
    }

    /** It runs the machine's LVM as it is, and only reads. */
    private Path config(Path socket, String vg) throws IOException {
        var text =
                "{socket-name: %s, lvm-command-prefix: [lvm], device-classes: [{name: ssd,"
                        + " volume-group: %s, spare-gb: 0}]}";
        return Files.writeString(folder.resolve("lvmd.yaml"), text.formatted(socket, vg));
    }

    private static String calls(String method, String code) {
        return ("\ngrpc_server_handled_total{grpc_service=\"proto.VGService\",grpc_method=\"%s\","
                        + "grpc_code=\"%s\"} 1\n")
                .formatted(method, code);
    }

    private static String page(int port) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var url = URI.create("http://127.0.0.1:" + port + "/metrics");
            var answer = client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
            assertEquals(200, answer.statusCode());
            return answer.body();
        }
    }
}
