package lvms.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The decision records have one form, and the index names each of them. */
class DecisionTests {
    private static final Path FOLDER = Path.of("docs/adr");
    private static final List<String> PARTS =
            List.of("## Context", "## Options", "## Decision", "## Consequences");

    private static List<Path> decisions() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.filter(file -> file.getFileName().toString().matches("\\d{4}-.*"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void haveTheSameFourParts() throws Exception {
        for (var decision : decisions()) {
            var parts =
                    Files.readAllLines(decision).stream().filter(l -> l.startsWith("## ")).toList();
            assertEquals(PARTS, parts, decision::toString);
        }
    }

    @Test
    void areInTheIndex() throws Exception {
        var index = Files.readString(FOLDER.resolve("README.md"));
        for (var decision : decisions()) {
            var name = decision.getFileName().toString();
            int number = Integer.parseInt(name.substring(0, 4));
            assertTrue(
                    index.contains("- [" + number + "](" + name + "): "),
                    "docs/adr/README.md lacks a line \"- [" + number + "](" + name + "): ...\"");
        }
    }
}
