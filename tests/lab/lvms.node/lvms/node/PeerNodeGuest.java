package lvms.node;

import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.Programs;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** TopoLVM's topolvm-node beside our lvmd; it asks for lists that only a real API server has. */
class PeerNodeGuest extends LvmdPairGuest {
    private static ControlPlane plane;

    @BeforeAll
    static void serve() throws Exception {
        var programs =
                new Programs(
                        Path.of(System.getProperty("lvms.cache")),
                        Path.of(System.getProperty("lvms.modules")));
        plane = ControlPlane.options(programs, Files.createTempDirectory("plane")).start();
    }

    @AfterAll
    static void endServing() throws Exception {
        plane.close();
    }

    @Override
    Path cluster() {
        return plane.kubeconfig();
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
        return List.of(
                System.getProperty("lvms.peer"),
                "topolvm-node",
                "--lvmd-socket=" + lvmdSocket,
                "--csi-socket=" + csiSocket,
                "--metrics-bind-address=127.0.0.1:9181");
    }

    /** Its node ends where lvmd does not answer, so lvmd comes first. */
    @Test
    void volumesLiveTheirWholeLife() throws Exception {
        startLvmd();
        awaitLvmd();
        startNode();
        var csi = served();
        wholeLife(csi);
        csi.close();
    }
}
