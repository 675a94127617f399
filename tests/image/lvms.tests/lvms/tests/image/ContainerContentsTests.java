package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.k8s.tree.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The container image holds the programs that we and LVM run, all that they need, and no shell. */
class ContainerContentsTests {
    /** Programs that may be missing from no image, since we or LVM run them. */
    private static final List<String> PROGRAMS =
            List.of(
                    "lvm",
                    "dmsetup",
                    "thin_check",
                    "thin_dump",
                    "thin_repair",
                    "cache_check",
                    "modprobe",
                    "mkfs.ext4",
                    "mkfs.xfs",
                    "mkfs.btrfs",
                    "e2fsck",
                    "xfs_repair",
                    "resize2fs",
                    "xfs_growfs",
                    "btrfs",
                    "mount",
                    "umount",
                    "blkid",
                    "wipefs",
                    "nsenter");

    private static final Set<String> FORBIDDEN =
            Set.of("sh", "bash", "dash", "busybox", "perl", "python3", "apt", "apt-get", "dpkg");

    @TempDir private static Path scratch;
    private static Archive archive;
    private static Path root;

    @BeforeAll
    static void unpack() throws Exception {
        archive = new Archive(scratch);
        root = archive.unpack(scratch.resolve("root"));
    }

    /** JUnit follows the links of Debian's merged /usr when it removes the folder. */
    @AfterAll
    static void remove() throws IOException {
        if (root == null) {
            return;
        }
        try (var files = Files.walk(root)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static List<Path> files() throws IOException {
        try (var files = Files.walk(root)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .toList();
        }
    }

    private static boolean isElf(Path file) throws IOException {
        try (var bytes = Files.newInputStream(file)) {
            return new String(bytes.readNBytes(4), "ISO-8859-1").equals("\177ELF");
        }
    }

    private static boolean isScript(Path file) throws IOException {
        try (var bytes = Files.newInputStream(file)) {
            return new String(bytes.readNBytes(2), "ISO-8859-1").equals("#!");
        }
    }

    private static Path inRoot(Path file) {
        return Path.of("/").resolve(root.relativize(file));
    }

    @Test
    void holdsTheProgramsThatWeRun() {
        for (var program : PROGRAMS) {
            assertTrue(
                    Files.exists(
                                    root.resolve("usr/bin").resolve(program),
                                    LinkOption.NOFOLLOW_LINKS)
                            || Files.exists(
                                    root.resolve("usr/sbin").resolve(program),
                                    LinkOption.NOFOLLOW_LINKS),
                    program);
        }
    }

    @Test
    void holdsNoShellNoPackageManagerAndNoScriptButOurLaunchers() throws Exception {
        var scripts = new TreeSet<String>();
        for (var file : files()) {
            assertTrue(!FORBIDDEN.contains(file.getFileName().toString()), file.toString());
            if (isScript(file)) {
                scripts.add(inRoot(file).toString());
            }
        }
        assertEquals(
                Set.of(
                        "/hypertopolvm",
                        "/lvmd",
                        "/lvms",
                        "/opt/lvms/bin/hypertopolvm",
                        "/opt/lvms/bin/lvmd",
                        "/opt/lvms/bin/lvms",
                        "/opt/lvms/bin/lvms-operator",
                        "/opt/lvms/bin/lvms-vgmanager",
                        "/opt/lvms/bin/topolvm-controller",
                        "/opt/lvms/bin/topolvm-node",
                        "/opt/lvms/bin/topolvm-scheduler",
                        "/opt/lvms/share/kubectl-lvms",
                        "/topolvm-controller",
                        "/topolvm-node",
                        "/topolvm-scheduler",
                        "/usr/bin/gather"),
                scripts);
    }

    @Test
    void everythingBelongsToRootAndNobodyElseMayWriteOrBecomeRoot() throws Exception {
        var entry = Pattern.compile("([dlh-])([rwxstST-]{9}) 0/0 .*");
        for (var line : archive.entries()) {
            var matcher = entry.matcher(line);
            assertTrue(matcher.matches(), line);
            if (matcher.group(1).equals("l") || line.endsWith(" ./tmp/")) {
                continue;
            }
            assertTrue(matcher.group(2).matches("rw[x-]r-[x-]r-[x-]"), line);
        }
    }

    @Test
    void everybodyMayWriteToTmp() throws Exception {
        assertTrue(
                archive.entries().stream()
                        .anyMatch(line -> line.matches("drwxrwxrwt .* \\./tmp/")));
    }

    private static String loader() throws IOException {
        try (var files = Files.walk(root.resolve("usr"))) {
            return files.filter(file -> file.getFileName().toString().matches("ld(-linux|64).*"))
                    .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .findFirst()
                    .orElseThrow()
                    .toString();
        }
    }

    /**
     * The image's own loader tells, with its cache and the folders of this machine out of sight.
     */
    @Test
    void everyBinaryFindsItsLibrariesInTheImage() throws Exception {
        // The java launcher loads libjvm before any library that needs it.
        var folders = root.resolve("opt/lvms/lib/server").toString();
        try (var triplets = Files.list(root.resolve("usr/lib"))) {
            for (var folder : triplets.filter(Files::isDirectory).toList()) {
                folders += ":" + folder;
            }
        }
        var loader = loader();
        var lacking = new ArrayList<String>();
        int binaries = 0;
        for (var file : files()) {
            if (!isElf(file) || file.toString().equals(loader)) {
                continue;
            }
            binaries++;
            var listed =
                    Archive.run(
                            loader,
                            "--inhibit-cache",
                            "--library-path",
                            folders,
                            "--list",
                            file.toString());
            listed.lines()
                    .filter(line -> line.contains("=>") && !line.contains("=> " + root))
                    .forEach(line -> lacking.add(inRoot(file) + ":" + line));
        }
        assertTrue(binaries > 60, "only " + binaries + " binaries");
        assertEquals(List.of(), lacking);
    }

    private static List<String> lock() throws IOException {
        var architecture = archive.config().at("architecture").asText();
        var name = "debian-" + architecture.replace("ppc64le", "ppc64el") + ".lock";
        return Files.readAllLines(Path.of("build/oci", name)).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    @Test
    void theBillOfMaterialsNamesEveryPinnedPackageAndEveryJar() throws Exception {
        var text = Files.readString(root.resolve("opt/lvms/lvms.cdx.json"));
        var components = Json.parse(text).asObject().at("components").asList();
        var listed = new TreeSet<String>();
        for (var component : components) {
            var hashes = component.asObject().list("hashes");
            var name = component.asObject().at("name").asText();
            if (!hashes.isEmpty()) {
                listed.add(name + " " + hashes.at(0).asObject().at("content"));
                assertTrue(component.asObject().has("purl"), name);
            }
        }
        var expected = new TreeSet<String>();
        for (var line : lock()) {
            expected.add(line.split(" ")[0] + " \"" + line.split(" ")[2] + '"');
        }
        for (var line : Files.readAllLines(Path.of("build/artifacts.tsv"))) {
            var cells = line.split("\t");
            if (cells.length > 2 && cells[2].equals("image")) {
                expected.add(cells[0].split(":")[1] + " \"" + cells[1] + '"');
            }
        }
        var ours = new TreeSet<>(listed);
        ours.removeAll(expected);
        assertTrue(listed.containsAll(expected), "missing in " + listed);
        assertTrue(ours.stream().allMatch(line -> line.startsWith("lvms")), ours.toString());
        assertEquals(text, Files.readString(Path.of("out/" + billName())));
    }

    private static String billName() throws IOException {
        var labels = archive.config().at("config", "Labels").asObject();
        var version = labels.at("org.opencontainers.image.version").asText();
        return "lvms-" + version + ".cdx.json";
    }

    @Test
    void scannersFindEveryPackageAndPeopleItsLicence() throws Exception {
        for (var line : lock()) {
            var name = line.split(" ")[0];
            var status = Files.readString(root.resolve("var/lib/dpkg/status.d").resolve(name));
            assertTrue(status.contains("Package: " + name + "\n"), status);
            assertTrue(status.contains("Version: " + line.split(" ")[1] + "\n"), status);
            assertTrue(Files.exists(root.resolve("usr/share/doc/" + name + "/copyright")), name);
        }
        assertTrue(Files.readString(root.resolve("etc/os-release")).contains("VERSION_ID=\"13\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/sbin/lvm pvcreate --version",
                "/sbin/dmsetup --help",
                "/usr/sbin/thin_check -V",
                "/sbin/modprobe --version",
                "/sbin/mkfs.ext4 -V",
                "/sbin/mkfs.xfs -V",
                "/sbin/mkfs.btrfs --version",
                "/sbin/e2fsck -V",
                "/sbin/xfs_repair -V",
                "/usr/sbin/xfs_growfs -V",
                "/bin/btrfs --version",
                "/bin/mount --version",
                "/sbin/blkid --version",
                "/sbin/wipefs --version",
                "/usr/bin/nsenter --version",
                "/bin/lsblk --version",
                "/opt/lvms/bin/lvms version",
                "/usr/bin/gather --help",
                "/lvms operator --help",
                "/lvms vgmanager --help"
            })
    void programsRunInTheImage(String command) throws Exception {
        assumeTrue(Archive.run("id", "-u").strip().equals("0"), "entering the image needs root");
        Archive.run(
                "unshare",
                "--mount",
                "sh",
                "-c",
                "mount -t proc proc $0/proc && exec timeout 30 chroot $0 $1",
                root.toString(),
                command);
    }

    /** The image has no shell, so the kernel starts java. */
    @ParameterizedTest
    @CsvSource({
        "/lvms, lvms",
        "/usr/bin/gather, lvms",
        "/opt/lvms/bin/lvms, lvms",
        "/opt/lvms/bin/lvms-operator, lvms-operator",
        "/opt/lvms/bin/lvms-vgmanager, lvms-vgmanager",
        "/lvmd, lvmd",
        "/opt/lvms/bin/lvmd, lvmd",
        "/hypertopolvm, lvms-operator",
        "/opt/lvms/bin/topolvm-controller, lvms-operator",
        "/topolvm-node, lvms-vgmanager",
        "/topolvm-scheduler, lvms-operator"
    })
    void launchersAreOneLineThatNamesJavaAndItsArguments(String path, String kind)
            throws IOException {
        var launcher = root.resolve(path.substring(1));
        assertEquals(
                "#!/opt/lvms/bin/java @/opt/lvms/lib/%s.args\n".formatted(kind),
                Files.readString(launcher));
        assertTrue(Files.isExecutable(launcher), path);
    }

    /** A JVM complains about a cache that is not there, on its standard output. */
    @ParameterizedTest
    @ValueSource(strings = {"lvms-operator", "lvms-vgmanager", "lvmd"})
    void serversNameTheCacheThatIsThere(String name) throws IOException {
        var cache = root.resolve("opt/lvms/lib/server.aot");
        assertEquals(
                Files.exists(cache) ? List.of("-XX:AOTCache=/opt/lvms/lib/server.aot") : List.of(),
                Archive.cacheWords(root, name));
    }
}
