package lvms.tests.libraries;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.tree.Json;
import lvms.tests.server.OursAlone;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/** What the Maven repository has to have, so that others can take our libraries and trust them. */
@Timeout(300)
@OursAlone("no server is asked")
class RepositoryTests {
    private static final Set<String> LIBRARIES =
            Set.of(
                    "lvms.api",
                    "lvms.csi",
                    "lvms.k8s",
                    "lvms.k8s.testkit",
                    "lvms.lvm2",
                    "lvms.proto");

    @TempDir private Path folder;
    private Repository repository;

    @BeforeEach
    void read() throws Exception {
        repository = Repository.read();
    }

    @Test
    void hasTheLibrariesAndNoPartOfTheProductBesides() {
        assertEquals(LIBRARIES, repository.versions().keySet());
    }

    @Test
    void eachJarIsAModuleOfItsNameAndVersion() {
        for (var library : LIBRARIES) {
            var module = descriptor(library);
            assertFalse(module.isAutomatic(), library);
            assertEquals(library, module.name());
            assertEquals(repository.version(library), module.rawVersion().orElse("none"), library);
        }
    }

    private ModuleDescriptor descriptor(String library) {
        var found = ModuleFinder.of(repository.file(library, ".jar")).findAll();
        return found.iterator().next().descriptor();
    }

    /** javac and the JVM find every module that one of ours requires where the POMs lead. */
    @Test
    void thePomsLeadToAllThatTheModulesRequire() throws Exception {
        Files.writeString(folder.resolve("pom.xml"), pomOfAll());
        var jars = folder.resolve("jars");
        Tools.maven(
                folder,
                "org.apache.maven.plugins:maven-dependency-plugin:3.7.0:copy-dependencies",
                "-DoutputDirectory=" + jars);
        compileReader(jars);
        var boot = ModuleLayer.boot().configuration();
        var found =
                boot.resolve(ModuleFinder.of(jars), ModuleFinder.of(), LIBRARIES).modules().stream()
                        .map(module -> module.reference().descriptor().name())
                        .collect(Collectors.toSet());
        assertTrue(found.containsAll(LIBRARIES), found::toString);
        assertTrue(found.contains("io.grpc.netty.shaded"), found::toString);
    }

    private void compileReader(Path jars) throws Exception {
        var requires =
                LIBRARIES.stream().map("requires %s;"::formatted).collect(Collectors.joining());
        var module = folder.resolve("module-info.java");
        Files.writeString(module, "module reader { %s }".formatted(requires));
        var type = folder.resolve("Reader.java");
        Files.writeString(
                type,
                """
                package reader;
                final class Reader extends lvms.proto.csi.v1.IdentityGrpc.IdentityImplBase {
                    lvms.k8s.testkit.ApiServer server;
                    lvms.csi.UnixSocketServer socket;
                    lvms.lvm2.Lvm lvm;
                }
                """);
        Tools.run(
                Map.of(),
                List.of(
                        Tools.JDK + "/bin/javac",
                        "--release=25",
                        "--module-path=" + jars,
                        "-d",
                        folder.resolve("classes").toString(),
                        module.toString(),
                        type.toString()));
    }

    private String pomOfAll() {
        var dependencies =
                LIBRARIES.stream()
                        .map(
                                name ->
                                        """
                                        <dependency><groupId>lvms</groupId>
                                        <artifactId>%s</artifactId><version>%s</version>
                                        </dependency>
                                        """
                                                .formatted(name, repository.version(name)))
                        .collect(Collectors.joining());
        return """
        <project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
        <groupId>reader</groupId><artifactId>reader</artifactId><version>1</version>
        <repositories><repository><id>lvms</id><url>file://${lvms.repository}</url></repository>
        </repositories>
        <dependencies>%s</dependencies></project>
        """
                .formatted(dependencies);
    }

    @Test
    void thePageNamesEachLibraryAndItsVersion() throws Exception {
        var page = Files.readString(Path.of("docs/libraries.md"));
        for (var library : LIBRARIES) {
            assertTrue(page.contains("| `lvms:" + library + "` |"), library);
        }
        var version = repository.version("lvms.k8s");
        assertTrue(page.contains("<version>" + version + "</version>"), version);
        assertTrue(page.contains("implementation(\"lvms:lvms.k8s:" + version + "\")"), version);
    }

    @Test
    void whoTakesTheClientGetsGsonAndNothingElse() throws Exception {
        for (var library : List.of("lvms.k8s", "lvms.lvm2")) {
            var pom = Files.readString(repository.file(library, ".pom"));
            assertEquals(1, pom.split("<dependency>", -1).length - 1, pom);
            assertTrue(pom.contains("<artifactId>gson</artifactId>"), pom);
        }
    }

    @Test
    void sourcesAndJavadocCoverEveryExportedPackage() throws Exception {
        for (var library : LIBRARIES) {
            try (var sources = new JarFile(repository.file(library, "-sources.jar").toFile());
                    var pages = new JarFile(repository.file(library, "-javadoc.jar").toFile())) {
                has(sources, "module-info.java");
                has(pages, "index.html");
                for (var exported : descriptor(library).exports()) {
                    var path = exported.source().replace('.', '/');
                    has(pages, library + "/" + path + "/package-summary.html");
                    assertTrue(
                            sources.stream().anyMatch(e -> e.getName().startsWith(path + "/")),
                            () -> sources.getName() + " lacks " + path);
                }
            }
        }
    }

    @Test
    void theSourcesAreThoseOfTheClasses() throws Exception {
        for (var library : LIBRARIES) {
            try (var sources = new JarFile(repository.file(library, "-sources.jar").toFile());
                    var classes = new JarFile(repository.file(library, ".jar").toFile())) {
                var expected = new TreeSet<String>();
                classes.stream()
                        .map(entry -> entry.getName())
                        .filter(name -> name.endsWith(".class") && !name.contains("$"))
                        .map(name -> name.replace(".class", ".java"))
                        .forEach(expected::add);
                sources.stream().forEach(entry -> expected.remove(entry.getName()));
                assertEquals(Set.of(), expected, library);
            }
        }
    }

    @Test
    void eachJarHasTheLicenceAndABillOfWhatTheModuleRequires() throws Exception {
        for (var library : LIBRARIES) {
            for (var kind : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
                try (var jar = new JarFile(repository.file(library, kind).toFile())) {
                    assertArrayEquals(
                            Files.readAllBytes(Path.of("LICENSE")), bytes(jar, "META-INF/LICENSE"));
                    var bill = bytes(jar, "META-INF/bill.cdx.json");
                    checkBill(library, new String(bill, StandardCharsets.UTF_8));
                }
            }
        }
    }

    private void checkBill(String library, String bill) {
        var system =
                ModuleFinder.ofSystem().findAll().stream()
                        .map(ModuleReference::descriptor)
                        .map(ModuleDescriptor::name)
                        .collect(Collectors.toSet());
        long required =
                descriptor(library).requires().stream()
                        .filter(r -> !system.contains(r.name()))
                        .count();
        var components = Json.parse(bill).asObject().objects("components");
        assertEquals(required, components.size(), library);
        for (var component : components) {
            assertTrue(component.objects("licenses").size() == 1, component::toString);
        }
    }

    @Test
    void eachFileHasItsSums() throws Exception {
        var kinds = Map.of("MD5", ".md5", "SHA-1", ".sha1", "SHA-256", ".sha256");
        for (var file : Repository.files()) {
            for (var kind : kinds.entrySet()) {
                var digest = MessageDigest.getInstance(kind.getKey());
                var sum = HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
                var said = Files.readString(Path.of(file + kind.getValue())).strip();
                assertEquals(sum, said, file::toString);
            }
        }
    }

    private static void has(JarFile jar, String name) {
        assertTrue(jar.getEntry(name) != null, () -> jar.getName() + " lacks " + name);
    }

    private static byte[] bytes(JarFile jar, String name) throws Exception {
        has(jar, name);
        try (var in = jar.getInputStream(jar.getEntry(name))) {
            return in.readAllBytes();
        }
    }
}
