package lvms.operator.cluster.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What we tell people to apply is accepted. */
class SamplesTests {
    @ParameterizedTest
    @ValueSource(strings = {"lvmcluster", "lvmcluster-every-free-disk", "thick", "several", "raid"})
    void isAccepted(String sample) throws IOException {
        assertAccepted(Files.readString(Path.of("deploy/samples/" + sample + ".yaml")));
    }

    @Test
    void soIsTheClassOfTheTutorial() throws IOException {
        var page = Files.readString(Path.of("docs/tutorial.md"));
        int begin = page.indexOf("```yaml\n") + "```yaml\n".length();
        assertAccepted(page.substring(begin, page.indexOf("```", begin)));
    }

    private static void assertAccepted(String text) {
        var cluster = LvmCluster.of(KubeObject.of(Yaml.read(text).asObject()));
        var alone = new ClusterRules.Surroundings(Names.DEFAULT_NAMESPACE, List.of());
        assertEquals(List.of(), ClusterRules.create(cluster, alone).errors());
    }
}
