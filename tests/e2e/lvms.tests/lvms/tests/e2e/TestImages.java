package lvms.tests.e2e;

import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The images that the suite's pods ask for: nothing is pulled, all names stand for our own. */
final class TestImages {
    private static final Path FOLDER = Path.of("out/e2e-images").toAbsolutePath();
    private static final Duration IMPORT = Duration.ofMinutes(3);
    private static final String REGISTRY = "localhost/e2e";

    /** The image with a program of its own to start; the others start what a pod says. */
    private static final String AGNHOST = "agnhost";

    private static final Set<String> NAMES =
            Set.of(AGNHOST, "busybox", "nginx", "glibc-dns-testing");

    private TestImages() {}

    /** Writes the file that tells the suite which registry has its images. */
    static void writeRegistries(Path file) throws IOException {
        Files.writeString(file, "promoterE2eRegistry: " + REGISTRY + "\n");
    }

    /**
     * Gives the nodes the images; they may have those of a definition that ran before.
     *
     * @param listed what the suite may ask for, a line each, as its option {@code --list-images}
     *     says with the file of registries
     */
    static void loadInto(Cluster cluster, List<String> listed) throws IOException {
        var wanted = listed.stream().filter(TestImages::served).toList();
        for (var node : cluster.nodes()) {
            load(node, wanted);
        }
    }

    private static boolean served(String image) {
        return image.startsWith(REGISTRY + "/")
                && NAMES.contains(image.substring(REGISTRY.length() + 1).replaceFirst(":.*", ""));
    }

    private static void load(ClusterNode node, List<String> wanted) throws IOException {
        for (var name : List.of(AGNHOST, "busybox")) {
            ctr(node, "import", FOLDER.resolve(name + ".tar").toString());
        }
        for (var image : wanted) {
            var source = image.contains("/" + AGNHOST + ":") ? AGNHOST : "busybox";
            ctr(node, "tag", "--force", REGISTRY + "/" + source + ":1", image);
        }
    }

    private static void ctr(ClusterNode node, String verb, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("ctr", "--namespace=k8s.io", "images", verb));
        command.addAll(List.of(arguments));
        node.run(command, IMPORT).require(node.name() + ": " + command);
    }
}
