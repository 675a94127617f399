package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.LogicalVolume;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.node.definition.TypeInUse;
import lvms.node.definition.TypeInUse.Answer;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Who may not read the definition of LogicalVolumes learns all the same that it is being deleted,
 * and believes that it is not only when every server must know.
 */
@Timeout(60)
class TypeInUseTests {
    private static final ObjectKey DEFINITION =
            ObjectKey.cluster(LogicalVolume.TYPE.qualifiedPlural());
    private static final String FORBIDDEN =
            """
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",
             "reason":"Forbidden","message":"no right to read definitions","code":403}
            """;

    @TempDir Path folder;
    private ApiServer server;
    private KubeClient admin;
    private KubeClient agent;
    private LogicalVolume volume;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        admin = client("test");
        agent = client("agent");
        Definitions.install(admin, List.of("topolvm.io_logicalvolumes"));
        VolumeControllerCase.await("it is served", () -> admin.serves(LogicalVolume.TYPE));
        var spec =
                new LogicalVolume.Spec(
                        "pvc-1", Volumes.NODE, Quantity.parse("8Mi"), "thick", "", "", "");
        var made = admin.create(LogicalVolume.TYPE, Volumes.unclaimed(spec));
        volume = LogicalVolume.of(admin.addFinalizer(LogicalVolume.TYPE, made, "test.io/held"));
    }

    @AfterEach
    void stop() throws Exception {
        agent.close();
        admin.close();
        server.close();
    }

    private KubeClient client(String name) throws Exception {
        return KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig(folder))), name)
                .withFieldManager(name);
    }

    private void refuse() {
        server.faults()
                .answer(
                        seen ->
                                seen.target().contains("customresourcedefinitions")
                                        && "agent".equals(seen.headers().get("user-agent")),
                        Integer.MAX_VALUE,
                        403,
                        FORBIDDEN);
    }

    private void deleteType() throws Exception {
        admin.delete(Types.CRD, DEFINITION, DeleteOptions.any());
        VolumeControllerCase.await(
                "the volume is asked to go",
                () ->
                        admin.get(LogicalVolume.TYPE, ObjectKey.cluster(volume.name()))
                                .terminating());
    }

    @Test
    void theDefinitionSaysItAtOnce() throws Exception {
        var type = new TypeInUse(agent, Duration.ofDays(1));
        assertEquals(Answer.IN_USE, type.of(volume));
        deleteType();
        assertEquals(Answer.BEING_DELETED, type.of(volume));
    }

    @Test
    void withoutTheRightItIsBelievedOnlyAfterAWhile() throws Exception {
        refuse();
        assertEquals(Answer.NOT_KNOWN_YET, new TypeInUse(agent, Duration.ofDays(1)).of(volume));
        var type = new TypeInUse(agent, Duration.ofNanos(1));
        type.of(volume);
        assertEquals(Answer.IN_USE, type.of(volume));
    }

    @Test
    void withoutTheRightADeletedTypeIsSeen() throws Exception {
        refuse();
        var type = new TypeInUse(agent, Duration.ofNanos(1));
        type.of(volume);
        deleteType();
        VolumeControllerCase.await(
                "the server says so", () -> !agent.verbs(LogicalVolume.TYPE).contains("create"));
        assertEquals(Answer.BEING_DELETED, type.of(volume));
        assertEquals(Answer.BEING_DELETED, type.of(volume));
    }

    @Test
    void withoutTheRightATypeThatIsNotServedIsNotInUse() throws Exception {
        refuse();
        admin.removeFinalizer(LogicalVolume.TYPE, volume.object(), "test.io/held");
        admin.delete(Types.CRD, DEFINITION, DeleteOptions.any());
        VolumeControllerCase.await("it is gone", () -> admin.find(Types.CRD, DEFINITION).isEmpty());
        var type = new TypeInUse(agent, Duration.ofDays(1));
        VolumeControllerCase.await(
                "the server says so", () -> type.of(volume) == Answer.BEING_DELETED);
    }
}
