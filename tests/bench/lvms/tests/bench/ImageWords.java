package lvms.tests.bench;

import lvms.tests.training.Launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The words after {@code java} that start the servers of an image; their files are in a folder. */
public final class ImageWords {
    static final String LVMD =
            """
            socket-name: /run/topolvm/lvmd.sock
            device-classes:
              - name: vg1
                volume-group: lvms-bench-absent
                default: true
            """;

    /** What is behind {@code /readyz} of a node agent that no kubelet registers. */
    public static final String WITHOUT_KUBELET = "?exclude=registration";

    private ImageWords() {}

    /**
     * Returns those of the operator.
     *
     * @param port of its health on loopback
     */
    public static List<String> operator(Path image, Path folder, int port, String... more)
            throws IOException {
        var usual = Stream.of(health(port), "--csi-socket=" + folder.resolve("csi/csi.sock"));
        var words = Stream.concat(usual, Stream.of(more)).toArray(String[]::new);
        return Launcher.words(image, "lvms-operator", words);
    }

    /**
     * Returns those of the node agent. No volume group is made and none is looked for: it has a
     * device class by its file, whose group does not exist.
     *
     * @param port of its health on loopback
     */
    public static List<String> agent(Path image, Path folder, int port) throws IOException {
        var lvmd = Files.writeString(folder.resolve("lvmd.yaml"), LVMD);
        return Launcher.words(
                image,
                "lvms-vgmanager",
                health(port),
                "--kubelet-root=" + folder.resolve("kubelet"),
                "--lock-file=" + folder.resolve("lock/vgmanager.lock"),
                "--lvmd-config=" + lvmd);
    }

    private static String health(int port) {
        return "--health-probe-bind-address=127.0.0.1:" + port;
    }
}
