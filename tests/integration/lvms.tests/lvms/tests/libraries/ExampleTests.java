package lvms.tests.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.VolumeGroup;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.runner.Lasts;
import lvms.tests.server.OursAlone;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The programs in docs/examples are built as their readers build them, and do what they say. */
@Timeout(300)
@OursAlone("the examples start a server of their own")
@Lasts(seconds = 35)
class ExampleTests {
    private static final Path EXAMPLES = Path.of("docs/examples");
    private static final int BY_SIGTERM = 128 + 15;

    @TempDir private Path folder;

    @Test
    void aLinkedProgramListsTheVolumeGroupsOfADevice() throws Exception {
        assumeTrue(LoopDisks.possible(), "needs root and loop devices");
        var image = linkVolumeGroups();
        try (var disks = new LoopDisks(folder)) {
            var disk = disks.add(64L << 20);
            var group = create("example", disk, disks);
            var program = image.resolve("bin/list-groups").toString();
            var said =
                    Tools.run(
                            Map.of("LVM_SYSTEM_DIR", folder.resolve("lvm").toString()),
                            List.of(program, disk.toString()));
            assertTrue(said.startsWith("LVM 2."), said);
            assertEquals(
                    "example " + group.sizeBytes() + " " + group.freeBytes() + " 0",
                    said.lines().toList().getLast());
        }
    }

    private static VolumeGroup create(String name, Path disk, LoopDisks disks) throws Exception {
        try (var lvm = disks.lvm()) {
            return lvm.groups().create(new NewVolumeGroup(name, List.of(disk), Set.of()));
        }
    }

    private Path linkVolumeGroups() throws Exception {
        var modules = Files.createDirectory(folder.resolve("modules"));
        var repository = Repository.read();
        copy(repository.file("lvms.lvm2", ".jar"), modules);
        copy(gson(), modules);
        var image = folder.resolve("image");
        Tools.run(
                Map.of("JAVA_HOME", Tools.JDK),
                List.of(
                        EXAMPLES.resolve("volume-groups/build.sh").toString(),
                        modules.toString(),
                        image.toString()));
        assertEquals(
                List.of("com.google.gson", "example.groups", "java.base", "lvms.lvm2"),
                modulesOf(image));
        return image;
    }

    private static Path gson() throws IOException {
        try (var jars = Files.newDirectoryStream(Path.of("out/deps"), "gson-*.jar")) {
            return jars.iterator().next();
        }
    }

    private static void copy(Path file, Path folder) throws IOException {
        Files.copy(file, folder.resolve(file.getFileName()));
    }

    private static List<String> modulesOf(Path image) throws Exception {
        var java = image.resolve("bin/java").toString();
        return Tools.run(Map.of(), List.of(java, "--list-modules"))
                .lines()
                .map(line -> line.replaceFirst("@.*", ""))
                .sorted()
                .toList();
    }

    @Test
    void aControllerIsBuiltTestedAndRunFromTheClassPath() throws Exception {
        var project = folder.resolve("controller");
        copyTree(EXAMPLES.resolve("controller"), project);
        Tools.maven(project, "verify");
        assertFalse(reports(project).isEmpty(), "Maven ran no test");
        runController(project.resolve("target/team-controller.jar"));
    }

    private static List<Path> reports(Path project) throws IOException {
        try (var files = Files.list(project.resolve("target/surefire-reports"))) {
            return files.filter(file -> file.toString().endsWith("TeamControllerTest.xml"))
                    .toList();
        }
    }

    private void runController(Path jar) throws Exception {
        try (var server = ApiServer.start();
                var kube = KubeClient.open(server.config(), "tests").withFieldManager("tests")) {
            var process = start(jar, server.kubeconfig(folder));
            try {
                var green = KubeObject.create(Types.NAMESPACE, ObjectKey.cluster("green"));
                kube.create(
                        Types.NAMESPACE,
                        green.with("Eve", "metadata", "labels", "example.com/team"));
                awaitTeam(kube, process, "Eve");
                process.destroy();
                assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it does not end");
                assertEquals(BY_SIGTERM, process.exitValue());
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private Process start(Path jar, Path kubeconfig) throws IOException {
        var command = new ArrayList<>(List.of(Tools.JDK + "/bin/java", "-XX:+UseSerialGC"));
        command.addAll(List.of("-jar", jar.toString()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        return builder.redirectOutput(output()).start();
    }

    private File output() {
        return folder.resolve("controller.log").toFile();
    }

    /** The test's timeout bounds it. */
    private void awaitTeam(KubeClient kube, Process process, String expected) throws Exception {
        var key = ObjectKey.of("green", "team");
        Optional<String> name = Optional.empty();
        while (!name.equals(Optional.of(expected))) {
            if (!process.isAlive()) {
                throw new AssertionError(Files.readString(output().toPath()));
            }
            Thread.sleep(10);
            name = kube.find(Types.CONFIG_MAP, key).flatMap(map -> map.text("data", "name"));
        }
    }

    /** What somebody built in the folder before stays there. */
    private static void copyTree(Path from, Path to) throws IOException {
        List<Path> files;
        try (var all = Files.walk(from)) {
            files = all.filter(file -> !file.startsWith(from.resolve("target"))).toList();
        }
        for (var file : files) {
            Files.copy(file, to.resolve(from.relativize(file).toString()));
        }
    }
}
