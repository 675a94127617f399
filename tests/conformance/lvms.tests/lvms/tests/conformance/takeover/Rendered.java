package lvms.tests.conformance.takeover;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The objects that TopoLVM's chart renders, as text. */
final class Rendered {
    private static final Path OPERATOR = Path.of("deploy/base/operator.yaml");
    private static final Pattern DOCUMENT = Pattern.compile("(?m)^---\n");
    private static final Pattern CONTAINER =
            Pattern.compile("image: \"ghcr[^\"]+\"(.*?\n +- )/([a-z-]+)\n", Pattern.DOTALL);
    private static final Pattern OURS = Pattern.compile("image: (localhost/lvms:\\S+)");

    private Rendered() {}

    /** Returns the objects of a file, without those that need cert-manager. */
    static Stream<String> objects(Path file) throws IOException {
        return DOCUMENT.splitAsStream(Files.readString(file))
                .filter(text -> !text.contains("apiVersion: cert-manager.io/"));
    }

    /** Gives each container an image by the name of its program. */
    static String withImages(String object, UnaryOperator<String> imageOf) {
        return CONTAINER
                .matcher(object)
                .replaceAll(
                        match ->
                                "image: %s%s/%s\n"
                                        .formatted(
                                                imageOf.apply(match.group(2)),
                                                match.group(1),
                                                match.group(2)));
    }

    /** Returns the name of our image, of the version that was built. */
    static String ourImage() {
        try {
            var found = OURS.matcher(Files.readString(OPERATOR));
            if (!found.find()) {
                throw new IllegalStateException("no image in " + OPERATOR);
            }
            return found.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the node service with lvmd in its process, as node.lvmdEmbedded renders it. */
    static String embedded(String nodeService) {
        return nodeService
                .replace("--lvmd-socket=/run/topolvm/lvmd.sock", "--embed-lvmd")
                .replace(
                        "    spec:\n      serviceAccountName: topolvm-node\n",
                        "    spec:\n      serviceAccountName: topolvm-node\n      hostPID: true\n")
                .replace(
                        "name: lvmd-socket-dir\n              mountPath: /run/topolvm",
                        "name: lvmd-socket-dir\n              mountPath: /etc/topolvm")
                .replace(
                        "hostPath:\n"
                                + "            path: /run/topolvm\n"
                                + "            type: DirectoryOrCreate",
                        "configMap: {name: topolvm-lvmd-0}");
    }
}
