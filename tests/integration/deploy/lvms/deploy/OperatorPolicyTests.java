package lvms.deploy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.tests.runner.Safety;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;

/** What an operator with every right of its role still must not write. */
class OperatorPolicyTests {
    private static final ObjectKey THEIRS = ObjectKey.cluster("theirs");

    private ApiServer server;
    private KubeClient admin;
    private KubeClient operator;

    @BeforeEach
    void start() throws Exception {
        server = Servers.start();
        admin = KubeClient.open(server.config(), "test").withFieldManager("test");
        var account = "system:serviceaccount:elsewhere:lvms-operator";
        var token = server.issueToken(account, "system:masters");
        operator = KubeClient.open(server.config(token), "thief").withFieldManager("thief");
        PolicyFile.OPERATOR.create(admin);
    }

    @AfterEach
    void stop() throws Exception {
        operator.close();
        admin.close();
        server.close();
    }

    /** A VolumeSnapshotClass may get another driver, so the former one counts as well. */
    @Test
    @Safety(36)
    void aStolenOperatorMakesNoSnapshotClassOfAnybodyElseItsOwn() throws Exception {
        Definitions.install(admin, Path.of("tests/lab/resources/snapshot-crds.yaml"));
        var type = Types.VOLUME_SNAPSHOT_CLASS;
        var theirs =
                KubeObject.create(type, THEIRS)
                        .with("other.io", "driver")
                        .with("Delete", "deletionPolicy");
        admin.create(type, theirs);
        Patience.until("the policy is in force", () -> refused(type, "{'parameters':{'a':'b'}}"));
        assertTrue(refused(type, "{'driver':'topolvm.io'}"));
    }

    private boolean refused(ResourceType type, String patch) throws Exception {
        try {
            operator.mergePatch(type, THEIRS, NodePolicyRules.tree(patch));
            return false;
        } catch (ApiException.Forbidden e) {
            return e.getMessage().contains("VolumeSnapshotClasses of its own drivers only");
        }
    }
}
