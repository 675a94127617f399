package lvms.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Packages are rooms: none is too large to know, none needs itself by way of another, and what lies
 * outside of the house is reached by few doors.
 */
class PackageTests {
    private static final int MOST_TYPES = 30;

    /** What users of the library see: requests, reports and failures of LVM. */
    private static final Map<String, Integer> LARGER = Map.of("lvms.lvm2", 45);

    private static Packages packages;

    @BeforeAll
    static void read() throws IOException {
        packages = Packages.of(Path.of("out/classes"), Path.of("out/test-modules"));
        assertTrue(packages.types().size() > 30, "the product's classes are not in out/classes");
    }

    @Test
    void noneNeedsItselfByWayOfAnother() {
        assertEquals(List.of(), packages.cycles());
    }

    @Test
    void noneHasMoreTypesThanOneCanKnow() {
        var tooLarge = new TreeMap<String, Integer>();
        packages.types()
                .forEach(
                        (name, types) -> {
                            if (types.size() > LARGER.getOrDefault(name, MOST_TYPES)) {
                                tooLarge.put(name, types.size());
                            }
                        });
        assertEquals(Map.of(), tooLarge);
    }

    /** The testkit has mutable trees of its own; its exported packages show none. */
    @ParameterizedTest(name = "{0} by {1}")
    @CsvSource({
        "com.google.gson, lvms.k8s.tree lvms.lvm2.report",
        "java.lang.foreign, lvms.lvm2.ffi",
        "java.net.http, lvms.k8s.client lvms.k8s.client.body lvms.k8s.client.wire lvms.k8s.config",
    })
    void aLibraryIsReachedByItsDoors(String library, String doors) {
        var others = packages.naming(library);
        others.removeIf(name -> name.startsWith("lvms.k8s.testkit"));
        assertEquals(Set.of(doors.split(" ")), others);
    }
}
