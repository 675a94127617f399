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
import java.util.Set;

/**
 * No package needs itself by way of another, and few packages use gson, java.lang.foreign and
 * java.net.http.
 */
class PackageTests {
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
