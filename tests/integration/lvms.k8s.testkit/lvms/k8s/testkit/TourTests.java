package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.server.OursAlone;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/**
 * The code in docs/testkit.md compiles in a module that requires nothing but the testkit, and runs.
 */
@Timeout(60)
@OursAlone("it is about the module, whichever server answers")
class TourTests {
    private static final String MODULES = "out/modules:out/classes:out/test-modules";
    private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir private Path folder;

    private int tours;

    @BeforeEach
    void writeTheModule() throws Exception {
        Files.writeString(
                folder.resolve("module-info.java"),
                "module reader { requires lvms.k8s.testkit; exports reader; }");
        var sources = Files.createDirectory(folder.resolve("reader"));
        var page = CODE.matcher(Files.readString(Path.of("docs/testkit.md")));
        while (page.find()) {
            Files.writeString(
                    sources.resolve("Tour" + ++tours + ".java"),
                    """
                    package reader;
                    import module lvms.k8s.testkit;
                    import module java.base;
                    public interface Tour%d {
                        static void run() throws Exception {
                    %s
                        }
                    }
                    """
                            .formatted(tours, page.group(1)));
        }
    }

    @Test
    void theCodeOfThePageCompilesAndRuns() throws Exception {
        var said = new StringWriter();
        var javac = ToolProvider.findFirst("javac").orElseThrow();
        int status =
                javac.run(
                        new PrintWriter(said),
                        new PrintWriter(said),
                        "-Xlint:all,-requires-automatic",
                        "--module-path",
                        MODULES,
                        "--module-source-path",
                        "reader=" + folder,
                        "-d",
                        folder.resolve("classes").toString(),
                        "--module",
                        "reader");
        assertEquals(0, status, said::toString);
        assertEquals("", said.toString());
        var reader = reader();
        assertTrue(tours > 1, "the page has lost its code");
        for (int number = 1; number <= tours; number++) {
            reader.loadClass("reader.Tour" + number).getMethod("run").invoke(null);
        }
    }

    /** As the reader has it: in a layer of modules, where only what is exported can be used. */
    private ClassLoader reader() {
        var paths =
                Pattern.compile(":")
                        .splitAsStream(MODULES + ":" + folder.resolve("classes"))
                        .map(Path::of)
                        .toArray(Path[]::new);
        var boot = ModuleLayer.boot();
        var modules =
                boot.configuration()
                        .resolve(ModuleFinder.of(paths), ModuleFinder.of(), Set.of("reader"));
        return boot.defineModulesWithOneLoader(modules, ClassLoader.getPlatformClassLoader())
                .findLoader("reader");
    }
}
