package lvms.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.runner.Needs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A release has all that a publisher pushes, and each part names the others by their digests. */
@Needs("tar")
class ReleaseTests {
    private static final String REGISTRY = "registry.example.com/storage";

    @TempDir private Path folder;

    private Path write(String name) throws IOException {
        return new SmallRelease(Files.createDirectory(folder.resolve(name)))
                .write(Optional.empty());
    }

    private static ObjectTree json(Path file) throws IOException {
        return Json.parse(Files.readString(file)).asObject();
    }

    private static ObjectTree tagged(Path release, String reference) throws IOException {
        var index = json(release.resolve("images/index.json"));
        var listed =
                index.objects("manifests").stream()
                        .filter(
                                d ->
                                        d.text("annotations", Layout.NAME)
                                                .equals(Optional.of(reference)))
                        .findFirst()
                        .orElseThrow();
        return blob(release, listed);
    }

    private static ObjectTree blob(Path release, ObjectTree descriptor) throws IOException {
        var digest = descriptor.text("digest").orElseThrow().replace(':', '/');
        return json(release.resolve("images/blobs").resolve(digest));
    }

    @Test
    void itHasNoDefect() throws Exception {
        assertEquals(List.of(), FileRules.findings(write("one")));
    }

    /** Also in another folder and in another JVM, whose maps have another order. */
    @Test
    void theSameInputsGiveTheSameBytes() throws Exception {
        var one = write("one");
        var two = Files.createDirectory(folder.resolve("another-name"));
        writeInAnotherJvm(new SmallRelease(two).inputs(), two);
        assertEquals(
                Files.readString(one.resolve("SHA256SUMS")),
                Files.readString(two.resolve("to/SHA256SUMS")));
    }

    /** The program with the words that say what is released, and for whom. */
    private static List<String> program(String registry) {
        return new ArrayList<>(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--class-path",
                        System.getProperty("java.class.path"),
                        "lvms.release.Main",
                        "version=0.1.0",
                        "commit=" + SmallRelease.COMMIT,
                        "seconds=" + SmallRelease.TIME.getEpochSecond(),
                        "registry=" + registry,
                        "downloads=https://example.com/lvms",
                        "builder=urn:example:tests"));
    }

    /** As before the images are built, which takes minutes. */
    @Test
    void wordsThatCannotBeAreRefusedBeforeThereIsAnythingElse() throws Exception {
        Tool.run(program(REGISTRY));
        var refused = assertThrows(IOException.class, () -> Tool.run(program("Example.com/x")));
        assertEquals(
                "release: registry \"Example.com/x\": expected one such as"
                        + " registry.example.com/storage, in small letters",
                refused.getMessage().replaceFirst(".* ended with 1: ", ""));
        var key = Files.writeString(folder.resolve("key"), "x");
        var command = program(REGISTRY);
        command.add("key=" + key);
        assertThrows(IOException.class, () -> Tool.run(command));
    }

    private static void writeInAnotherJvm(Inputs inputs, Path folder) throws IOException {
        var command = program(REGISTRY);
        command.addAll(
                List.of(
                        "to=" + folder.resolve("to"),
                        "scratch=" + folder.resolve("aside"),
                        "tree=" + inputs.tree(),
                        "chart=" + inputs.chart(),
                        "maven=" + inputs.maven(),
                        "jars=" + inputs.jars(),
                        "debian=" + inputs.debian(),
                        "archive=" + inputs.archive(),
                        "prefix=" + inputs.prefix(),
                        "reference=" + inputs.image(),
                        "aot=" + inputs.aot()));
        inputs.images().reversed().forEach(image -> command.add("image=" + image));
        inputs.gatherers().forEach(image -> command.add("gatherer=" + image));
        inputs.locks().forEach(lock -> command.add("lock=" + lock));
        Tool.run(command);
    }

    @Test
    void anImageIsOneForAllArchitectures() throws Exception {
        var release = write("one");
        for (var name : List.of("lvms", "lvms-must-gather")) {
            var index = tagged(release, REGISTRY + "/" + name + ":0.1.0");
            assertEquals(
                    List.of("amd64", "arm64"),
                    index.objects("manifests").stream()
                            .map(d -> d.text("platform", "architecture").orElse(""))
                            .toList());
        }
    }

    /** Of what the bills are that are attached to an image, which are also files. */
    private static List<String> bills(Path release, String name) throws IOException {
        var found = new ArrayList<String>();
        var repository = REGISTRY + "/" + name;
        for (var image : tagged(release, repository + ":0.1.0").objects("manifests")) {
            var tag = image.text("digest").orElseThrow().replace(':', '-');
            var bills = tagged(release, repository + ":" + tag).objects("manifests");
            assertEquals(1, bills.size());
            assertEquals(
                    Optional.of("application/vnd.cyclonedx+json"),
                    bills.getFirst().text("artifactType"));
            var bill = blob(release, blob(release, bills.getFirst()).objects("layers").getFirst());
            var file =
                    name
                            + "-0.1.0-"
                            + image.text("platform", "architecture").orElseThrow()
                            + ".cdx.json";
            assertEquals(bill, json(release.resolve(file)));
            found.add(bill.text("for").orElseThrow());
        }
        return found;
    }

    @Test
    void eachArchitectureHasItsBillAndTheWholeItsProvenance() throws Exception {
        var release = write("one");
        assertEquals(List.of("amd64", "arm64"), bills(release, "lvms"));
        assertEquals(
                List.of("amd64 of must-gather", "arm64 of must-gather"),
                bills(release, "lvms-must-gather"));
        var statement = json(release.resolve("lvms-0.1.0.provenance.json"));
        assertEquals(6, statement.objects("subject").size());
        assertEquals(
                List.of(
                        "pkg:maven/org.example/a@1",
                        "pkg:maven/org.example/protoc@2?classifier=linux-x86_64&type=exe",
                        "pkg:deb/debian/libc6@2.36-9%2Bdeb12u1?arch=amd64"),
                statement.objects("predicate", "buildDefinition", "resolvedDependencies").stream()
                        .flatMap(d -> d.text("uri").stream())
                        .toList());
    }

    @Test
    void hostsGetWhatTheImageHasOfLvmsAndAUnit() throws Exception {
        var names = Tarball.names(write("one").resolve("lvms-0.1.0-linux-arm64.tar.gz"));
        assertTrue(names.contains("opt/lvms/share/lvmd.service"), names.toString());
        assertTrue(names.contains("opt/lvms/lvms.cdx.json"), names.toString());
        assertFalse(names.stream().anyMatch(n -> n.startsWith("etc")), names.toString());
    }

    /** Its launcher is in the image, and its flags are flags of lvmd. */
    @Test
    void theUnitStartsLvmd() throws Exception {
        var unit = Files.readString(SmallRelease.TREE.resolve("deploy/host/lvmd.service"));
        var start = unit.lines().filter(l -> l.startsWith("ExecStart=")).findFirst().orElseThrow();
        assertTrue(start.startsWith("ExecStart=/opt/lvms/bin/lvmd "), start);
        var reference = Files.readString(SmallRelease.TREE.resolve("docs/reference.md"));
        var flags = reference.substring(reference.indexOf("### lvms lvmd\n"));
        for (var word : start.split(" ")) {
            var name = word.replaceFirst("=.*", "");
            assertTrue(!name.startsWith("--") || flags.contains("`" + name + "`"), name);
        }
    }

    @Test
    void theSourcesAreTheFilesThatArePinned() throws Exception {
        var release = write("one");
        for (var file :
                List.of(
                        "jars/a-1.jar",
                        "jars/protoc-2-linux-x86_64.exe",
                        "debian/libc6_2.36-9+deb12u1_amd64.deb",
                        "lvms-0.1.0-src.tar.gz")) {
            assertTrue(Files.exists(release.resolve("sources").resolve(file)), file);
        }
    }

    @Test
    void aFileThatIsNotThePinnedOneIsRefused() throws Exception {
        var small = new SmallRelease(folder);
        var inputs = small.inputs();
        Files.writeString(inputs.jars().resolve("a-1.jar"), "another jar");
        var failure = assertThrows(IOException.class, () -> publish(inputs));
        assertEquals(
                inputs.jars().resolve("a-1.jar") + " is not the file that is pinned",
                failure.getMessage());
    }

    private void publish(Inputs inputs) throws IOException {
        new Publication(
                        SmallRelease.release("localhost", SmallRelease.COMMIT),
                        inputs,
                        Files.createDirectory(folder.resolve("to")),
                        Files.createDirectory(folder.resolve("aside")))
                .write(Optional.empty());
    }

    /** An image that was built before the tag must not become a part of it. */
    @Test
    void anImageOfAnotherCommitIsRefused() throws Exception {
        var small = new SmallRelease(folder);
        var inputs = small.inputs();
        var to = Files.createDirectory(folder.resolve("to"));
        var aside = Files.createDirectory(folder.resolve("aside"));
        var other =
                new Release(
                        "0.1.0",
                        SmallRelease.COMMIT.replace('0', '1'),
                        SmallRelease.TIME,
                        "localhost",
                        "https://example.com",
                        "urn:example:tests");
        var failure =
                assertThrows(
                        IOException.class,
                        () -> new Publication(other, inputs, to, aside).write(Optional.empty()));
        assertTrue(failure.getMessage().contains("is not of commit 1123"), failure.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "registry, Registry.example.com/x",
        "registry, registry.example.com/",
        "registry, registry.example.com/x:1",
        "downloads, example.com",
        "builder, somebody"
    })
    void aWordThatCannotBeIsRefused(String word, String value) {
        var failure =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                new Release(
                                        "0.1.0",
                                        SmallRelease.COMMIT,
                                        SmallRelease.TIME,
                                        word.equals("registry") ? value : "localhost",
                                        word.equals("downloads") ? value : "https://example.com",
                                        word.equals("builder") ? value : "urn:example:x"));
        assertTrue(
                failure.getMessage().startsWith(word + " \"" + value + "\": expected one such as "),
                failure.getMessage());
    }
}
