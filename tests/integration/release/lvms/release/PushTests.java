package lvms.release;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.cluster.Programs;
import lvms.tests.page.Page;
import lvms.tests.page.RunsBlocks;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The commands of docs/release.md, as they stand there, bring a release into real registries. */
@RunsBlocks("docs/release.md")
@FullOnly("needs registries and a release; SigningTests has its signature")
class PushTests {
    @TempDir private Path folder;
    private Registry registry;
    private Path release;

    @AfterEach
    void end() throws Exception {
        if (registry != null) {
            registry.close();
        }
    }

    private void prepare(Registry.Kind kind) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/skopeo")), "needs skopeo");
        registry = new Registry(kind.program(), folder.resolve("registry"));
        registry.start(false);
        release = write("one", SmallRelease.COMMIT);
    }

    /** Writes a release for the registry, where the commands look for it. */
    private Path write(String name, String commit) throws IOException {
        var small = new SmallRelease(Files.createDirectories(folder.resolve(name)));
        return small.write(registry.host() + "/storage", commit);
    }

    /** The commands of the page: first those that push images, then what is attached to them. */
    private static String commands(int block) throws IOException {
        return Page.of("docs/release.md").blocksOf(PushTests.class).get(block).take();
    }

    private Shell.Ended push(Path of) throws Exception {
        return run(of, commands(0));
    }

    private Shell.Ended run(Path of, String commands) throws Exception {
        var work = Files.createDirectories(folder.resolve("work/out"));
        Files.deleteIfExists(work.resolve("release"));
        Files.createSymbolicLink(work.resolve("release"), of);
        return Shell.run(work.getParent(), commands, registry.trusting());
    }

    private ObjectTree manifest(String repository, String tag) throws Exception {
        var answer = registry.get("/v2/storage/" + repository + "/manifests/" + tag);
        assertEquals(200, answer.statusCode(), repository + ":" + tag);
        return Json.parse(answer.body()).asObject();
    }

    private String skopeo(String words) throws Exception {
        return Shell.run(folder, "skopeo " + words, registry.trusting()).require();
    }

    @ParameterizedTest
    @EnumSource
    void everythingIsThereByItsDigest(Registry.Kind kind) throws Exception {
        prepare(kind);
        push(release).require();
        for (var reference : references(false)) {
            assertEquals(
                    skopeo("inspect --raw oci:" + release.resolve("images") + ":" + reference),
                    skopeo("inspect --raw docker://" + reference),
                    reference);
        }
        pushWhatIsAttached();
        whatIsAttachedIsFound();
        aNodePullsTheImageOfItsArchitecture();
        containerdPullsTheSame();
        helmPullsTheChart();
        push(release).require(); // once more does no harm
    }

    /** An old skopeo pushes the artifacts and refuses the lists, which are then pushed by hand. */
    private void pushWhatIsAttached() throws Exception {
        var ended = run(release, commands(1));
        if (ended.code() == 0) {
            return;
        }
        assertTrue(ended.out().contains("Manifest list must be converted"), ended.out());
        run(release, commands(1).replace("docker://$reference\"", "docker://$reference\" || true"))
                .require();
        for (var reference : references(true)) {
            var path = reference.substring(registry.host().length());
            int tag = path.lastIndexOf(':');
            registry.put(
                    "/v2" + path.substring(0, tag) + "/manifests/" + path.substring(tag + 1),
                    skopeo("inspect --raw oci:" + release.resolve("images") + ":" + reference));
        }
    }

    /** The references of lists of what is attached to an image, or all others. */
    private List<String> references(boolean lists) throws IOException {
        try (var all = Files.lines(release.resolve("references.txt"))) {
            return all.filter(reference -> reference.contains(":sha256-") == lists).toList();
        }
    }

    /** As clients look for it where the registry has no referrers API. */
    private void whatIsAttachedIsFound() throws Exception {
        var found = new ArrayList<String>();
        for (var image : manifest("lvms", "0.1.0").objects("manifests")) {
            var digest = image.text("digest").orElseThrow();
            var answer = registry.get("/v2/storage/lvms/referrers/" + digest);
            var list =
                    answer.statusCode() == 200
                            ? Json.parse(answer.body()).asObject()
                            : manifest("lvms", digest.replace(':', '-'));
            for (var artifact : list.objects("manifests")) {
                var stored = manifest("lvms", artifact.text("digest").orElseThrow());
                assertEquals(Optional.of(digest), stored.text("subject", "digest"));
                found.add(artifact.text("artifactType").orElse(""));
            }
        }
        assertEquals(List.of(MediaType.CYCLONEDX, MediaType.CYCLONEDX), found);
    }

    private void aNodePullsTheImageOfItsArchitecture() throws Exception {
        for (var architecture : List.of("amd64", "arm64")) {
            var to = folder.resolve("pulled-" + architecture);
            skopeo(
                    ("--override-os linux --override-arch %s copy docker://%s/storage/lvms:0.1.0"
                                    + " dir:%s")
                            .formatted(architecture, registry.host(), to));
            var pulled = "sha256:" + Sum.of(to.resolve("manifest.json"));
            var wanted =
                    manifest("lvms", "0.1.0").objects("manifests").stream()
                            .filter(d -> d.text("digest").equals(Optional.of(pulled)))
                            .findFirst()
                            .orElseThrow();
            assertEquals(Optional.of(architecture), wanted.text("platform", "architecture"));
        }
    }

    /** Kubelet's way to an image; containerd checks every digest. */
    private void containerdPullsTheSame() throws Exception {
        var containerd = Path.of("/usr/bin/containerd");
        assumeTrue(Files.isExecutable(containerd), "needs containerd");
        var home = Files.createDirectories(folder.resolve("c"));
        var socket = home.resolve("sock");
        var config =
                """
                version = 2
                root = "%1$s/root"
                state = "%1$s/state"
                disabled_plugins = ["io.containerd.grpc.v1.cri"]
                [grpc]
                address = "%1$s/sock"
                """
                        .formatted(home);
        Files.writeString(home.resolve("config.toml"), config);
        var process =
                new ProcessBuilder(
                                containerd.toString(),
                                "--config=" + home.resolve("config.toml"),
                                "--log-level=error")
                        .redirectErrorStream(true)
                        .redirectOutput(home.resolve("log").toFile())
                        .start();
        try {
            Registry.until(process, home.resolve("log"), () -> Files.exists(socket));
            for (var platform : List.of("linux/amd64", "linux/arm64")) {
                Shell.run(
                                home,
                                "ctr --address=%s content fetch --plain-http --platform=%s %s"
                                        .formatted(
                                                socket,
                                                platform,
                                                registry.host() + "/storage/lvms:0.1.0"))
                        .require();
            }
            var stored = Shell.run(home, "ctr --address=" + socket + " content ls -q").require();
            for (var image : manifest("lvms", "0.1.0").objects("manifests")) {
                assertTrue(stored.contains(image.text("digest").orElseThrow()), stored);
            }
        } finally {
            process.destroy();
            process.onExit().join();
        }
    }

    private void helmPullsTheChart() throws Exception {
        Shell.run(
                        folder,
                        Programs.find().helm()
                                + " pull --plain-http --version 0.1.0 oci://"
                                + registry.host()
                                + "/storage/charts/lvms",
                        "HOME=" + folder)
                .require();
        assertArrayEquals(
                Files.readAllBytes(release.resolve("lvms-0.1.0.tgz")),
                Files.readAllBytes(folder.resolve("lvms-0.1.0.tgz")));
        Files.delete(folder.resolve("lvms-0.1.0.tgz"));
    }

    @ParameterizedTest
    @EnumSource
    void aVersionThatIsThereWithAnotherContentIsLeftAlone(Registry.Kind kind) throws Exception {
        prepare(kind);
        push(release).require();
        var before = manifest("lvms", "0.1.0");
        var ended = push(write("two", SmallRelease.COMMIT.replace('0', '1')));
        assertEquals(1, ended.code(), ended.out());
        assertEquals(
                registry.host()
                        + "/storage/lvms:0.1.0 is there with another content: a version is"
                        + " published once\n",
                ended.out());
        assertEquals(before, manifest("lvms", "0.1.0"));
    }

    @ParameterizedTest
    @EnumSource
    void aRegistryThatTakesNothingIsAFailureAndThePushCanGoOnLater(Registry.Kind kind)
            throws Exception {
        prepare(kind);
        registry.start(true);
        assertNotEquals(0, push(release).code());
        registry.start(false);
        push(release).require();
    }

    /** What a registry gives under a digest is checked by whoever pulls. */
    @ParameterizedTest
    @EnumSource
    void anotherContentUnderADigestIsNotPulled(Registry.Kind kind) throws Exception {
        prepare(kind);
        push(release).require();
        var image = manifest("lvms", "0.1.0").objects("manifests").getFirst();
        var layer =
                manifest("lvms", image.text("digest").orElseThrow()).objects("layers").getLast();
        var stored = registry.stored(layer.text("digest").orElseThrow());
        var bytes = Files.readAllBytes(stored);
        bytes[bytes.length - 1] ^= 1;
        Files.write(stored, bytes);
        var ended =
                Shell.run(
                        folder,
                        "skopeo --override-os linux --override-arch amd64 copy docker://"
                                + registry.host()
                                + "/storage/lvms:0.1.0 dir:"
                                + folder.resolve("lie"),
                        registry.trusting());
        assertNotEquals(0, ended.code(), ended.out());
        assertTrue(ended.out().contains("igest"), ended.out());
    }

    /** A release that was damaged on its way to the publisher is not pushed. */
    @ParameterizedTest
    @EnumSource(names = "DISTRIBUTION")
    void aDamagedReleaseIsNotPushed(Registry.Kind kind) throws Exception {
        prepare(kind);
        Files.writeString(release.resolve("krew/lvms.yaml"), "x");
        var ended = push(release);
        assertNotEquals(0, ended.code());
        assertTrue(ended.out().startsWith("krew/lvms.yaml: FAILED"), ended.out());
        assertEquals(404, registry.get("/v2/storage/lvms/manifests/0.1.0").statusCode());
    }
}
