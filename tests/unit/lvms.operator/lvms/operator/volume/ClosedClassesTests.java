package lvms.operator.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An annotation of a Node closes the classes that it names, and no other. */
class ClosedClassesTests {
    private static final KubeObject NODE = KubeObject.create(Types.NODE, ObjectKey.cluster("n1"));

    @ParameterizedTest(name = "\"{0}\" closes ssd: {1}")
    @CsvSource({
        "'*', true",
        "'', true",
        "' ', true",
        "ssd, true",
        "'hdd, ssd', true",
        "'hdd,*', true",
        "hdd, false",
        "ssd2, false",
        "'hdd,', false"
    })
    void closesWhatItNames(String value, boolean closed) {
        var node = NODE.with(value, "metadata", "annotations", Names.NO_NEW_VOLUMES_ANNOTATION);
        assertEquals(closed, ClosedClasses.closed(node, "ssd"));
    }

    @Test
    void aNodeWithoutItIsOpen() {
        assertFalse(ClosedClasses.closed(NODE, "ssd"));
    }
}
