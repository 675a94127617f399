package lvms.deploy;

import static lvms.deploy.Admin.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Kubectl;
import lvms.k8s.tree.Json;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;
import lvms.tests.server.DependsOnVersion;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;

/** With {@code deploy/nativestor} a node agent writes the devices of its own node only. */
@DependsOnVersion("an old server knows fewer functions in the expressions of policies")
@Lasts(seconds = 35)
class RawDevicePolicyTests {
    private static final String OWN = "n1";
    private static final String OTHER = "n2";

    @TempDir private Path directory;
    private ApiServer server;
    private KubeClient root;
    private KubeClient agent;

    @BeforeEach
    void install() throws Exception {
        Assumptions.assumeTrue(Kubectl.onPath(), "kubectl is not on the path");
        server = Servers.start();
        var admin = new Admin(server.kubeconfig(directory), directory);
        root = admin.client("test");
        for (var folder : new String[] {"deploy/nativestor/guard", "deploy/nativestor"}) {
            admin.succeed("apply", "--server-side", "--kustomize=" + folder);
        }
        root.create(Types.NODE, KubeObject.create(Types.NODE, ObjectKey.cluster(OWN)));
        var pod =
                KubeObject.create(Types.POD, ObjectKey.of(NAMESPACE, "agent"))
                        .with(
                                Json.parse(
                                        "{\"serviceAccountName\":\"vg-manager\",\"nodeName\":\""
                                                + OWN
                                                + "\",\"containers\":[{\"name\":\"vg-manager\","
                                                + "\"image\":\"localhost/none\"}]}"),
                                "spec");
        root.create(Types.POD, pod);
        agent =
                admin.account("vg-manager", "--bound-object-kind=Pod", "--bound-object-name=agent")
                        .client("vg-manager");
        root.create(RawDevice.TYPE, device("theirs", OTHER));
        Patience.until(
                "the policy holds",
                () -> {
                    try {
                        agent.create(RawDevice.TYPE, device("probe", OTHER));
                        root.delete(
                                RawDevice.TYPE, ObjectKey.cluster("probe"), DeleteOptions.any());
                        return false;
                    } catch (ApiException.Forbidden e) {
                        return true;
                    }
                });
    }

    @AfterEach
    void stop() throws Exception {
        if (agent != null) {
            agent.close();
        }
        if (server != null) {
            root.close();
            server.close();
        }
    }

    private static KubeObject device(String name, String node) {
        var spec = new RawDevice.Spec(node, 4L << 30, "disk", "/dev/sdb", 8, 16, "", true, "");
        return RawDevice.create(name, spec, Map.of());
    }

    private static KubeObject map(String name, String node) {
        return KubeObject.create(Types.CONFIG_MAP, ObjectKey.of(NAMESPACE, name))
                .with(node, "metadata", "annotations", "node-name")
                .with("[]", "data", "devices");
    }

    private static void refused(String why, Executable write) {
        var refusal = assertThrows(ApiException.Forbidden.class, write);
        assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    }

    /** One folder is all that somebody applies besides the guard. */
    @Test
    void theOperatorIsToldToServeUsersOfNativeStor() throws Exception {
        var operator = root.get(Types.DEPLOYMENT, ObjectKey.of(NAMESPACE, "lvms-operator"));
        var container = operator.objects("spec", "template", "spec", "containers").getFirst();
        assertEquals("--nativestor", container.texts("args").getLast());
        assertTrue(container.texts("args").contains("--leader-elect"));
    }

    @Test
    void itWritesTheDevicesOfItsOwnNode() throws Exception {
        agent.create(RawDevice.TYPE, device("ours", OWN));
        var key = ObjectKey.cluster("ours");
        agent.mergePatch(
                RawDevice.TYPE, key, Json.parse("{\"spec\":{\"available\":false}}").asObject());
        agent.delete(RawDevice.TYPE, key, DeleteOptions.any());
        agent.create(Types.CONFIG_MAP, map("lvmdconfig-n1", OWN));
        agent.mergePatch(
                Types.CONFIG_MAP,
                ObjectKey.of(NAMESPACE, "lvmdconfig-n1"),
                Json.parse("{\"data\":{\"devices\":\"[1]\"}}").asObject());
    }

    @Test
    void itWritesNoOthers() throws Exception {
        var why = "writes RawDevices of its own node only";
        var theirs = ObjectKey.cluster("theirs");
        refused(
                why,
                () ->
                        agent.mergePatch(
                                RawDevice.TYPE,
                                theirs,
                                Json.parse("{\"spec\":{\"available\":false}}").asObject()));
        refused(
                why,
                () ->
                        agent.mergePatch(
                                RawDevice.TYPE,
                                theirs,
                                Json.parse("{\"spec\":{\"nodeName\":\"n1\"}}").asObject()));
        refused(why, () -> agent.delete(RawDevice.TYPE, theirs, DeleteOptions.any()));
    }

    /** Nobody deletes that, neither the agent nor whoever may do everything. */
    @Safety(41)
    @Test
    void whatAVolumeHasOrLeftIsNotDeleted() throws Exception {
        root.create(RawDevice.TYPE, device("ours", OWN));
        var key = ObjectKey.cluster("ours");
        var asked =
                "{\"metadata\":{\"annotations\":{\"lvms.topolvm.io/volume\":\"pvc-1\","
                        + "\"lvms.topolvm.io/content\":\"used\"}}}";
        root.mergePatch(RawDevice.TYPE, key, Json.parse(asked).asObject());
        status(key, "ours");
        refused(
                "RawDevice ours (/dev/sdb of node n1) has a volume, pvc-1; delete its claim",
                () -> root.delete(RawDevice.TYPE, key, DeleteOptions.any()));
        refused("has a volume", () -> agent.delete(RawDevice.TYPE, key, DeleteOptions.any()));
        status(key, "");
        refused(
                "RawDevice ours (/dev/sdb of node n1) has what a volume left",
                () -> root.delete(RawDevice.TYPE, key, DeleteOptions.any()));
        refused(
                "has what a volume left",
                () ->
                        root.deleteCollection(
                                RawDevice.TYPE, ListOptions.all(), DeleteOptions.any()));
        var erased = "{\"metadata\":{\"annotations\":{\"lvms.topolvm.io/content\":null}}}";
        root.mergePatch(RawDevice.TYPE, key, Json.parse(erased).asObject());
        root.delete(RawDevice.TYPE, key, DeleteOptions.any());
    }

    private void status(ObjectKey key, String volume) throws Exception {
        root.mergePatchStatus(
                RawDevice.TYPE,
                key,
                Json.parse("{\"status\":{\"name\":\"" + volume + "\"}}").asObject());
    }

    @Test
    void itWritesNoOtherConfigMap() throws Exception {
        var why = "writes ConfigMap lvmdconfig-NODE of its own node only";
        root.create(Types.CONFIG_MAP, map("lvmdconfig-n2", OTHER));
        root.create(Types.CONFIG_MAP, map("settings", OWN));
        refused(why, () -> agent.create(Types.CONFIG_MAP, map("lvmdconfig-n3", OTHER)));
        var steal = "{\"metadata\":{\"annotations\":{\"node-name\":\"n1\"}}}";
        for (var name : new String[] {"lvmdconfig-n2", "settings"}) {
            refused(
                    why,
                    () ->
                            agent.mergePatch(
                                    Types.CONFIG_MAP,
                                    ObjectKey.of(NAMESPACE, name),
                                    Json.parse(steal).asObject()));
        }
    }
}
