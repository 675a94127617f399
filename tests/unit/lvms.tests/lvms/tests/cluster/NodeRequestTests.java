package lvms.tests.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.Stream;

/** What a node is made of arrives whole in the process that holds the cluster. */
class NodeRequestTests {
    static Stream<NodeSpec> specs() {
        return Stream.of(
                NodeSpec.plain("plain"),
                NodeSpec.debian("debian"),
                NodeSpec.plain("bare").disks(),
                NodeSpec.debian("odd")
                        .disks(1L << 40, 7L)
                        .kubeletRoot("/elsewhere")
                        .withoutThinPoolModule());
    }

    @ParameterizedTest
    @MethodSource("specs")
    void aSpecSurvivesTheWay(NodeSpec spec) {
        assertEquals(spec, NodeRequest.spec(List.of(NodeRequest.words(spec))));
    }
}
