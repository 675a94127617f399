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
import java.util.concurrent.atomic.AtomicInteger;

/** A node serves the old driver beside its own only where the mark says that it is ours. */
@Timeout(60)
class OldDriverTests {
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

    private void register(String mark) throws Exception {
        kube.create(
                Types.CSI_DRIVER,
                mark.isEmpty()
                        ? OLD
                        : OLD.with(mark, "metadata", "annotations", Drivers.CONVERTED_MARK));
    }

    private void look(OldDriver.Question question, OldDriver.Door door) {
        var known = new AtomicInteger();
        try (var old = new OldDriver(question, door, reported::add, known::incrementAndGet)) {
            old.run();
        }
        assertEquals(1, known.get(), "the answer was told");
    }

    private OldDriver.Question agent() {
        return () -> Drivers.servedByAgent(kube);
    }

    private OldDriver.Question program(Driver driver) {
        return () -> Drivers.servedWith(kube, driver);
    }

    private void assertNothingServed(OldDriver.Question question) {
        look(question, opened::add);
        assertEquals(List.of(), opened);
        assertEquals(List.of(), reported);
    }

    @Test
    void withoutAnOldDriverNothingIsServedBeside() {
        assertNothingServed(agent());
        assertNothingServed(program(Driver.TOPOLVM));
    }

    @Test
    void theOldDriverOfAnotherInstallationIsLeftToIt() throws Exception {
        register("");
        assertNothingServed(agent());
        assertNothingServed(program(Driver.TOPOLVM));
    }

    /** It has the name of a converted one, and its LogicalVolumes are in another group. */
    @Test
    void anInstallationUnderTheOldNameServesNothingBeside() throws Exception {
        register("topolvm.io");
        assertNothingServed(program(Driver.LEGACY));
    }

    /** TopoLVM's programs have no rights on the volumes that NativeStor left. */
    @Test
    void onlyAnAgentServesTheOldGroup() throws Exception {
        register("topolvm.cybozu.com");
        assertNothingServed(program(Driver.TOPOLVM));
        look(agent(), opened::add);
        assertEquals(List.of(Driver.LEGACY), opened);
        assertEquals(List.of(Drivers.of(Driver.TOPOLVM, Driver.LEGACY)), reported);
    }

    @Test
    void aConvertedDriverIsServedAsSoonAsItCanBe() throws Exception {
        register("topolvm.io");
        look(
                agent(),
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
