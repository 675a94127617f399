package lvms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The policies know the names of every driver that we may serve. */
class PolicyDriversTests {
    private static final List<Driver> OF_VOLUMES = List.of(Driver.TOPOLVM, Driver.LEGACY);

    @Test
    void theOperatorMayServeEachDriver() throws Exception {
        var names = new ArrayList<>(OF_VOLUMES.stream().map(Driver::name).toList());
        names.add(RawDevice.DRIVER.name());
        assertEquals(names, list("operator-policy.yaml", "drivers"));
    }

    @Test
    void anAgentMayReportAndHoldForEachDriverOfVolumes() throws Exception {
        assertEquals(of(Driver::capacityPrefix), list("node-policy.yaml", "capacities"));
        assertEquals(of(Driver::nodeFinalizer), list("node-policy.yaml", "holds"));
    }

    private static List<String> of(Function<Driver, String> name) {
        return OF_VOLUMES.stream().map(name).toList();
    }

    /** A variable of the first policy in a file, whose expression is a list of texts. */
    private static List<String> list(String file, String variable) throws Exception {
        var policies = Yaml.readAll(Files.readString(Path.of("deploy/guard", file)));
        var expression =
                KubeObject.of(policies.getFirst().asObject()).objects("spec", "variables").stream()
                        .filter(v -> v.text("name").filter(variable::equals).isPresent())
                        .findFirst()
                        .flatMap(v -> v.text("expression"))
                        .orElseThrow();
        return Stream.of(expression.replaceAll("[\\[\\]' ]", "").split(",")).toList();
    }
}
