package lvms.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.Optional;

/** Kubelet's folder is the one whose plugin the socket is, since no flag of TopoLVM names it. */
class CsiNodeSettingsTests {
    @ParameterizedTest
    @CsvSource({
        "/var/lib/kubelet/plugins/topolvm.io/node/csi-topolvm.sock, /var/lib/kubelet",
        "/var/snap/microk8s/common/var/lib/kubelet/plugins/topolvm.io/node/x.sock,"
                + " /var/snap/microk8s/common/var/lib/kubelet",
        "/run/topolvm/csi-topolvm.sock, /var/lib/kubelet",
        "/k/plugins/topolvm.cybozu.com/node/csi.sock, /var/lib/kubelet"
    })
    void findsKubeletsFolder(Path socket, Path kubelet) {
        var settings = CsiNodeSettings.at(socket, false, Driver.TOPOLVM, "n1", "1.0");
        assertEquals(kubelet, settings.kubeletFolder());
        assertEquals(socket, settings.socket());
        assertEquals(Optional.empty(), settings.registrationFolder());
        var registering = CsiNodeSettings.at(socket, true, Driver.TOPOLVM, "n1", "1.0");
        assertEquals(
                Optional.of(kubelet.resolve("plugins_registry")), registering.registrationFolder());
    }
}
