package lvms.tests.lab.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.lvm2.DeviceScope;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.command.LvmCommands;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What programs of a node do at their start, without any device: the AOT cache holds the classes
 * that this one needs. Runs when the archive is made.
 */
class GuestTraining {
    @TempDir Path folder;

    @Test
    void asksLvm() throws Exception {
        var options =
                LvmOptions.defaults()
                        .withEngine(LvmOptions.Engine.WORKER)
                        .withSystemDir(folder, false, false);
        try (var lvm = LvmCommands.open(options)) {
            var nothing = DeviceScope.only(List.of(Path.of("/dev/null")));
            assertEquals(List.of(), lvm.limitedTo(nothing).groups().all());
        }
    }

    @Test
    void asksAnApiServer() throws Exception {
        try (var server = ApiServer.start();
                var kube =
                        KubeClient.open(
                                KubeConfig.load(Optional.of(server.kubeconfig())), "training")) {
            assertEquals(List.of(), kube.list(Types.NODE, ListOptions.all()).items());
        }
    }
}
