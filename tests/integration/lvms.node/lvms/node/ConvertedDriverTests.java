package lvms.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A node serves the old driver beside its own only where the mark says that it was converted. */
@Timeout(60)
class ConvertedDriverTests {
    private static final KubeObject OLD =
            KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster(Driver.LEGACY.name()))
                    .with(false, "spec", "attachRequired");

    private final List<Driver> opened = new ArrayList<>();
    private final List<Drivers> reported = new ArrayList<>();
    private ApiServer server;
    private KubeClient kube;

    @BeforeEach
    void prepare() throws Exception {
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
    }

    @AfterEach
    void end() throws Exception {
        kube.close();
        server.close();
    }

    private void register(boolean converted) throws Exception {
        var mark = Driver.TOPOLVM.name();
        kube.create(
                Types.CSI_DRIVER,
                converted
                        ? OLD.with(mark, "metadata", "annotations", Drivers.CONVERTED_MARK)
                        : OLD);
    }

    private void look(Driver driver, ConvertedDriver.Door door) {
        try (var old = new ConvertedDriver(kube, driver, door, reported::add)) {
            old.run();
        }
    }

    private void assertNothingServed(Driver driver) {
        look(driver, opened::add);
        assertEquals(List.of(), opened);
        assertEquals(List.of(), reported);
    }

    @Test
    void withoutAnOldDriverNothingIsServedBeside() {
        assertNothingServed(Driver.TOPOLVM);
    }

    @Test
    void theOldDriverOfAnotherInstallationIsLeftToIt() throws Exception {
        register(false);
        assertNothingServed(Driver.TOPOLVM);
    }

    /** It has the name of a converted one, and its LogicalVolumes are in another group. */
    @Test
    void anInstallationUnderTheOldNameServesNothingBeside() throws Exception {
        register(true);
        assertNothingServed(Driver.LEGACY);
    }

    @Test
    void aConvertedDriverIsServedAsSoonAsItCanBe() throws Exception {
        register(true);
        look(
                Driver.TOPOLVM,
                driver -> {
                    opened.add(driver);
                    if (opened.size() == 1) {
                        throw new IOException("the folder is not there yet");
                    }
                });
        assertEquals(List.of(Driver.CONVERTED, Driver.CONVERTED), opened);
        assertEquals(List.of(Drivers.of(Driver.TOPOLVM, Driver.CONVERTED)), reported);
    }
}
