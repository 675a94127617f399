package lvms.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The worked example of docs/adding-a-field.md lists just the files that its precedent is in. */
class AddingAFieldTests {
    private static final Path GUIDE = Path.of("docs/adding-a-field.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+/[^`]+)` \\|");
    private static final Pattern PRECEDENT = Pattern.compile("[cC]hunkSize");

    /** The product, without the library for LVM, where the same words mean LVM's own pools. */
    private static final List<String> PRODUCT =
            List.of(
                    "lvms.api",
                    "lvms.csi",
                    "lvms.k8s",
                    "lvms.node",
                    "lvms.operator",
                    "src",
                    "deploy");

    @Test
    void theFilesOfThePrecedentAreThoseOfTheGuide() throws IOException {
        var listed = new TreeSet<String>();
        ROW.matcher(Files.readString(GUIDE)).results().forEach(row -> listed.add(row.group(1)));
        assertEquals(listed, precedent());
        assertTrue(listed.size() <= 6, "a field of a pool touches at most six files");
    }

    private static Set<String> precedent() throws IOException {
        var found = new TreeSet<String>();
        for (var folder : PRODUCT) {
            for (var file : files(Path.of(folder))) {
                if (PRECEDENT.matcher(Files.readString(file)).find()) {
                    found.add(file.toString());
                }
            }
        }
        return found;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (var tree = Files.walk(folder)) {
            return tree.filter(Files::isRegularFile).toList();
        }
    }
}
