package lvms.olm;

import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a version stands among others.
 *
 * @param packageName of the Subscription
 * @param channel the only one
 * @param predecessor the newest ClusterServiceVersion of LVMS, where the graph begins
 * @param predecessors versions of LVMS that may be updated, as a range
 */
record Graph(String packageName, String channel, String predecessor, String predecessors) {
    static Graph read(Path file) throws IOException {
        var tree = Yaml.read(Files.readString(file)).asObject();
        return new Graph(
                tree.text("package").orElseThrow(),
                tree.text("channel").orElseThrow(),
                tree.text("predecessor", "name").orElseThrow(),
                tree.text("predecessor", "range").orElseThrow());
    }

    String nameOf(Release release) {
        return packageName + ".v" + release.version();
    }

    /** Returns what may be updated at once: each earlier version of ours, and LVMS. */
    String skipRange(Release release) {
        return ">=0.0.1 <" + release.version() + " || " + predecessors;
    }
}
