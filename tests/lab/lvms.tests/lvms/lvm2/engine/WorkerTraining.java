package lvms.lvm2.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The words that start a worker from an image, as the engine does, without the cache to be made.
 */
public final class WorkerTraining {
    /** Options of a worker's JVM on the class path. */
    public static final List<String> CLASS_PATH_FLAGS =
            Stream.concat(
                            ChildJvm.FLAGS.stream(),
                            Stream.of(
                                    "--illegal-native-access=deny",
                                    "--enable-native-access=ALL-UNNAMED"))
                    .toList();

    private WorkerTraining() {}

    /** Returns the words after {@code java}. */
    public static List<String> words() {
        var words = new ArrayList<>(ChildJvm.FLAGS);
        words.addAll(
                List.of(
                        "--illegal-native-access=deny",
                        "--enable-native-access=lvms.lvm2",
                        "--module",
                        "lvms.lvm2/lvms.lvm2.worker.WorkerMain"));
        return words;
    }

    /** Returns the words after {@code java} that use the cache. */
    public static List<String> withCache(Path cache) {
        var words = words();
        words.addAll(
                0,
                List.of(
                        "-XX:AOTCache=" + cache,
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-AOTAdapterCaching",
                        "-XX:ArchiveRelocationMode=0"));
        return words;
    }
}
