package lvms.olm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What the ClusterServiceVersion claims, a test shows. */
class FeatureTests {
    private static final String FEATURE = "features.operators.openshift.io/";

    /** What is claimed, and by which test; disconnected is claimed by the image alone. */
    private static final Map<String, String> SHOWN =
            Map.of(
                    "csi",
                    "tests/conformance/lvms.tests/lvms/tests/sanity/CsiSanityTests.java",
                    "tls-profiles",
                    "tests/unit/lvms.operator/lvms/operator/openshift/TlsProfileTests.java");

    @Test
    void eachClaimHasATest() throws Exception {
        var release = Release.of("0.1.0", "localhost/lvms:0.1.0");
        var version = KubeObject.of(Bundle.of(Path.of("deploy"), release).serviceVersion());
        var claimed = new TreeMap<String, String>();
        version.annotations()
                .forEach(
                        (name, value) -> {
                            if (name.startsWith(FEATURE) && value.equals("true")) {
                                claimed.put(name.substring(FEATURE.length()), value);
                            }
                        });
        assertEquals(SHOWN.keySet(), claimed.keySet());
        for (var test : SHOWN.values()) {
            assertTrue(Files.exists(Path.of(test)), test);
        }
    }
}
