package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/**
 * Each exported package has a tour with code, and that code, like the code of docs/lvm2.md,
 * compiles in a module that requires nothing but this one.
 */
@Timeout(60)
class TourTests {
    private static final String MODULES = "out/modules:out/classes";
    private static final Path SOURCES = Path.of("lvms.lvm2");
    private static final Pattern SNIPPET =
            Pattern.compile(
                    "^ \\* \\{@snippet :\n(.*?)^ \\* }\n \\*$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir private Path folder;

    private static List<String> exportedPackages() {
        return ModuleFinder.of(Path.of("out/classes/lvms.lvm2"))
                .find("lvms.lvm2")
                .orElseThrow()
                .descriptor()
                .exports()
                .stream()
                .map(ModuleDescriptor.Exports::source)
                .sorted()
                .toList();
    }

    private static String tour(String name) throws IOException {
        return Files.readString(
                SOURCES.resolve(name.replace('.', '/')).resolve("package-info.java"));
    }

    private static List<String> code(Pattern form, String text) {
        return form.matcher(text).results().map(found -> found.group(1)).toList();
    }

    @Test
    void everyExportedPackageHasCodeInItsTour() throws Exception {
        for (var name : exportedPackages()) {
            assertEquals(1, code(SNIPPET, tour(name)).size(), name);
        }
    }

    @Test
    void theCodeCompilesOutsideTheModule() throws Exception {
        var all = new ArrayList<String>();
        for (var name : exportedPackages()) {
            all.addAll(code(SNIPPET, tour(name)));
        }
        var page = code(BLOCK, Files.readString(Path.of("docs/lvm2.md")));
        page.stream().filter(block -> !block.contains("{ ... }")).forEach(all::add);
        assertTrue(page.size() > 1, "the page has no code");
        compile(all);
    }

    private void compile(List<String> all) throws Exception {
        Files.writeString(
                folder.resolve("module-info.java"),
                "module reader { requires lvms.lvm2; exports reader; }");
        var imports =
                exportedPackages().stream()
                        .map(name -> "import " + name + ".*;\n")
                        .collect(Collectors.joining());
        var sources = Files.createDirectory(folder.resolve("reader"));
        for (int i = 0; i < all.size(); i++) {
            var body = all.get(i).replaceAll("(?m)^ \\* ", "");
            Files.writeString(
                    sources.resolve("Tour" + i + ".java"),
                    "package reader;\n"
                            + imports
                            + "import java.nio.file.*;\nimport java.time.*;\nimport java.util.*;\n"
                            + "public final class Tour%d {\n  Lvm lvm;\n".formatted(i)
                            + "  void run() throws Exception {\n%s\n  }\n}\n".formatted(body));
        }
        var said = new StringWriter();
        var words = new ArrayList<>(List.of("--release", "25", "--module-path", MODULES));
        words.addAll(List.of("-d", folder.resolve("out").toString()));
        try (var files = Files.walk(folder)) {
            files.map(Path::toString).filter(f -> f.endsWith(".java")).forEach(words::add);
        }
        var javac = ToolProvider.findFirst("javac").orElseThrow();
        var out = new PrintWriter(said);
        int status = javac.run(out, out, words.toArray(String[]::new));
        assertEquals(0, status, said::toString);
    }
}
