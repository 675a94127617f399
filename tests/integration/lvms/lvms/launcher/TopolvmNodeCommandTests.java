package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.csi.SocketChannel;
import lvms.deploy.Patience;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.proto.csi.v1.GetPluginInfoRequest;
import lvms.proto.csi.v1.IdentityGrpc;
import lvms.proto.registration.v1.InfoRequest;
import lvms.proto.registration.v1.RegistrationGrpc;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;
import lvms.tests.support.Nodes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code topolvm-node} starts, serves its socket and tells its capacity, and SIGTERM ends it. */
@Timeout(120)
class TopolvmNodeCommandTests {
    private static final ObjectKey NODE = ObjectKey.cluster("n1");

    @Test
    void aClassWithoutItsGroupIsSaidAndHasNoRoom(@TempDir Path folder) throws Exception {
        try (var server = Servers.start();
                var kube = KubeClient.open(server.config(), "test").withFieldManager("test")) {
            Definitions.install(kube, List.of("topolvm.io_logicalvolumes"));
            Nodes.create(kube, KubeObject.create(Types.NODE, NODE));
            var config = folder.resolve("lvmd.yaml");
            var socket = folder.resolve("plugins/topolvm.io/node/csi-topolvm.sock");
            Files.createDirectories(socket.getParent());
            Files.writeString(
                    config,
                    "{socket-name: no-path, device-classes: [{name: ssd, default: true,"
                            + " volume-group: lvms-no-such-group, lvcreate-options:"
                            + " [--config=x]}]}\n");
            var environment =
                    Map.of(
                            "KUBECONFIG",
                            server.kubeconfig(folder).toString(),
                            "NODE_NAME",
                            NODE.name());
            try (var program =
                    Program.start(
                            folder,
                            "topolvm-node",
                            environment,
                            "--embed-lvmd",
                            "--config=" + config,
                            "--csi-socket=" + socket,
                            "--metrics-bind-address=0")) {
                program.says("topolvm-node serves driver=topolvm.io node=n1");
                assertTrue(
                        program.log().contains("there is no volume group lvms-no-such-group"),
                        program.log());
                assertTrue(
                        program.log()
                                .contains(
                                        config
                                                + ": device class \"ssd\" gets no new volumes:"
                                                + " lvcreate option is not allowed: --config=x"),
                        program.log());
                assertEquals("topolvm.io", nameOver(socket));
                Patience.until(
                        "the capacity is told",
                        () ->
                                kube.get(Types.NODE, NODE)
                                        .annotation("capacity.topolvm.io/ssd")
                                        .filter("0"::equals)
                                        .isPresent());
                kube.mergePatch(
                        Types.NODE,
                        MergePatch.of(kube.get(Types.NODE, NODE))
                                .withoutAnnotation("capacity.topolvm.io/ssd"));
                Patience.until(
                        "what somebody took away is told again",
                        () ->
                                kube.get(Types.NODE, NODE)
                                        .annotation("capacity.topolvm.io/ssd")
                                        .isPresent());
                program.says("this cluster lets topolvm-node write about other nodes than n1;");
                assertEquals(0, program.end(), program.log());
            }
        }
    }

    /** Registrar and livenessprobe are not needed beside it. */
    @Test
    void withoutSidecarsItOffersTheDriverToKubelet(@TempDir Path folder) throws Exception {
        try (var server = Servers.start();
                var kube = KubeClient.open(server.config(), "test").withFieldManager("test")) {
            Definitions.install(kube, List.of("topolvm.io_logicalvolumes"));
            Nodes.create(kube, KubeObject.create(Types.NODE, NODE));
            var config = folder.resolve("lvmd.yaml");
            Files.writeString(
                    config,
                    "device-classes: [{name: ssd, volume-group: lvms-none, default: true}]\n");
            var socket = folder.resolve("plugins/topolvm.io/node/csi-topolvm.sock");
            var registry = Files.createDirectories(folder.resolve("plugins_registry"));
            var environment = Map.of("KUBECONFIG", server.kubeconfig(folder).toString());
            try (var program =
                    Program.start(
                            folder,
                            "topolvm-node",
                            environment,
                            "--embed-lvmd",
                            "--own-sidecars",
                            "--nodename=" + NODE.name(),
                            "--config=" + config,
                            "--csi-socket=" + socket,
                            "--health-probe-bind-address=127.0.0.1:0",
                            "--metrics-bind-address=0")) {
                program.says("topolvm-node serves driver=topolvm.io node=n1");
                try (var channel = new SocketChannel(registry.resolve("topolvm.io-reg.sock"))) {
                    var info =
                            RegistrationGrpc.newBlockingStub(channel.grpc())
                                    .withDeadlineAfter(30, TimeUnit.SECONDS)
                                    .getInfo(InfoRequest.getDefaultInstance());
                    assertEquals("topolvm.io", info.getName());
                    assertEquals(socket.toString(), info.getEndpoint());
                }
                assertEquals("topolvm.io", nameOver(socket));
                assertEquals(0, program.end(), program.log());
                assertFalse(Files.exists(registry.resolve("topolvm.io-reg.sock")));
            }
        }
    }

    private static String nameOver(Path socket) throws Exception {
        try (var channel = new SocketChannel(socket)) {
            return IdentityGrpc.newBlockingStub(channel.grpc())
                    .withDeadlineAfter(30, TimeUnit.SECONDS)
                    .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                    .getName();
        }
    }
}
