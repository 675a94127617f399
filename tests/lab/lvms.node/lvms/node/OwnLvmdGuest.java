package lvms.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.testkit.ApiServer;
import lvms.node.csi.CsiClient;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Our topolvm-node beside our lvmd, which ends and comes back. */
class OwnLvmdGuest extends LvmdPairGuest {
    private static ApiServer server;

    @BeforeAll
    static void serve() throws Exception {
        server = ApiServer.start();
    }

    @AfterAll
    static void endServing() throws Exception {
        server.close();
    }

    @Override
    Path cluster() throws Exception {
        return server.kubeconfig();
    }

    @Override
    String prefix() {
        return "[]";
    }

    @Override
    List<String> lvmd(Path config) {
        return ours("lvmd", "--config=" + config, "--metrics-bind-address=0");
    }

    @Override
    List<String> node(Path lvmdSocket, Path csiSocket) {
        return ours(
                "/topolvm-node",
                "--lvmd-socket=" + lvmdSocket,
                "--csi-socket=" + csiSocket,
                "--metrics-bind-address=127.0.0.1:9181");
    }

    @Test
    void volumesLiveTheirWholeLife() throws Exception {
        startNode();
        startLvmd();
        var csi = served();
        wholeLife(csi);
        survivesAnLvmdThatEnds(csi);
        csi.close();
    }

    /** Pods start and end without lvmd; what is asked for meanwhile is made afterwards. */
    private void survivesAnLvmdThatEnds(CsiClient csi) throws Exception {
        var volume = make("pvc-1", "thin");
        killLvmd();
        var target = target("pvc-1");
        Files.createDirectories(target.getParent());
        csi.publish(volume.uid(), target, filesystem(), false);
        Files.writeString(target.resolve("data"), "kept");
        csi.unpublish(volume.uid(), target);
        startLvmd();
        assertEquals(32 * MIB, make("pvc-2", "ssd").bytes());
        requireContent(csi, volume, "kept");
        remove("pvc-1");
        remove("pvc-2");
    }
}
