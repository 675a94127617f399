package lvms.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/**
 * Each exported package has a tour with code. That code, like the code of the module's page,
 * compiles for a reader whose module requires nothing but this one.
 */
@Timeout(60)
class TourTests {
    private static final String MODULES = "out/modules:out/classes";
    private static final Pattern SNIPPET =
            Pattern.compile(
                    "^ \\* (?:\\{@snippet :|<pre>\\{@code)\n"
                            + "(.*?)^ \\* }(?:</pre>)?\n"
                            + " \\*\n"
                            + " \\* <p>",
                    Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir private Path folder;

    /** A module, and what its tours take for granted: the variables and methods of their reader. */
    private enum Toured {
        LVM2("lvms.lvm2", "Lvm lvm;"),
        K8S(
                "lvms.k8s",
                """
                KubeClient kube;
                KubeObject claim, pod;
                Informer pods, claims;
                WorkQueue<ObjectKey> queue;
                String text, podName;
                void work() throws IOException {}
                void work(ObjectKey key) throws IOException {}
                void awaitEnd() {}
                Controller<ObjectKey> controller(KubeClient kube) { return null; }
                """),
        API("lvms.api", "KubeClient kube;"),
        CSI(
                "lvms.csi",
                """
                MetricsRegistry metrics;
                BindableService identity, volumes;
                void delete(String id, Duration timeout) throws ApiException {}
                """),
        NODE(
                "lvms.node",
                """
                KubeClient kube;
                EventRecorder events;
                VolumeGroupReport report;
                CountDownLatch shutdown;
                """),
        OPERATOR(
                "lvms.operator",
                """
                KubeClient kube;
                EventRecorder events;
                ObjectKey pod;
                MetricsRegistry metrics;
                CountDownLatch end;
                VolumeServices services;
                """);

        private final String module;
        private final String surroundings;

        Toured(String module, String surroundings) {
            this.module = module;
            this.surroundings = surroundings;
        }

        private List<String> exportedPackages() {
            return ModuleFinder.of(Path.of("out/classes", module))
                    .find(module)
                    .orElseThrow()
                    .descriptor()
                    .exports()
                    .stream()
                    .map(ModuleDescriptor.Exports::source)
                    .sorted()
                    .toList();
        }

        /** Returns the code of each exported package's tour, by package. */
        private Map<String, List<String>> tours() throws IOException {
            var tours = new TreeMap<String, List<String>>();
            for (var name : exportedPackages()) {
                var file = Path.of(module, name.replace('.', '/'), "package-info.java");
                var found = code(SNIPPET, Files.readString(file));
                tours.put(name, found.stream().map(Toured::withoutStars).toList());
            }
            return tours;
        }

        private static String withoutStars(String snippet) {
            return snippet.replaceAll("(?m)^ \\* ?", "");
        }

        /**
         * Returns the code of the module's page, if it has one; {@code { ... }} is no code, and a
         * whole program is compiled and run by a test of its own.
         */
        private List<String> page() throws IOException {
            var page = Path.of("docs", name().toLowerCase(Locale.ROOT) + ".md");
            return Files.exists(page)
                    ? code(BLOCK, Files.readString(page)).stream()
                            .filter(block -> !block.contains("{ ... }"))
                            .filter(block -> !block.contains("void main()"))
                            .toList()
                    : List.of();
        }

        private static List<String> code(Pattern form, String text) {
            return form.matcher(text).results().map(found -> found.group(1)).toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyExportedPackageHasCodeThatCompilesOutsideTheModule(Toured toured) throws Exception {
        var all = new ArrayList<>(toured.page());
        for (var tour : toured.tours().entrySet()) {
            assertEquals(1, tour.getValue().size(), tour.getKey());
            all.addAll(tour.getValue());
        }
        assertFalse(all.isEmpty());
        write(toured, all);
        compile();
    }

    private void write(Toured toured, List<String> all) throws IOException {
        Files.writeString(
                folder.resolve("module-info.java"),
                "module reader { requires %s; exports reader; }".formatted(toured.module));
        var sources = Files.createDirectory(folder.resolve("reader"));
        for (int i = 0; i < all.size(); i++) {
            Files.writeString(
                    sources.resolve("Tour" + i + ".java"),
                    """
                    package reader;
                    import module %s;
                    import java.io.*;
                    import java.net.*;
                    import java.nio.file.*;
                    import java.time.*;
                    import java.util.*;
                    import java.util.concurrent.*;
                    public final class Tour%d {
                    %s
                        void run() throws Exception {
                    %s
                        }
                    }
                    """
                            .formatted(toured.module, i, toured.surroundings, all.get(i)));
        }
    }

    private void compile() throws IOException {
        var words = new ArrayList<>(List.of("--release", "25", "--module-path", MODULES));
        words.addAll(List.of("-d", folder.resolve("out").toString()));
        try (var files = Files.walk(folder)) {
            files.map(Path::toString).filter(f -> f.endsWith(".java")).forEach(words::add);
        }
        var said = new StringWriter();
        var out = new PrintWriter(said);
        var javac = ToolProvider.findFirst("javac").orElseThrow();
        int status = javac.run(out, out, words.toArray(String[]::new));
        assertEquals(0, status, said::toString);
    }
}
