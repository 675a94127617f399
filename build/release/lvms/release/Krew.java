package lvms.release;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import java.util.List;

/**
 * How krew installs the plugin of kubectl.
 *
 * <p>Source: krew.sigs.k8s.io, "Writing Krew plugin manifests". The plugin is a script of a POSIX
 * shell, so it is one for all that have such a shell.
 */
final class Krew {
    private static final String DESCRIPTION =
            """
            Shows volumes, volume groups and disks of lvms, checks an installation, and takes over
            LVMS, TopoLVM and NativeStor. The commands are those of lvms itself: each runs in the
            image of your cluster, in a pod that lives as long as the command, with your rights.
            """;

    private Krew() {}

    /**
     * Returns the manifest.
     *
     * @param archive name of the file with the plugin
     */
    static String manifest(Release release, String archive, String sha256) {
        return Yaml.write(
                ObjectTree.builder()
                        .put("apiVersion", "krew.googlecontainertools.github.com/v1alpha2")
                        .put("kind", "Plugin")
                        .put("metadata", ObjectTree.builder().put("name", "lvms").build())
                        .put(
                                "spec",
                                ObjectTree.builder()
                                        .put("version", "v" + release.version())
                                        .put("homepage", release.downloads())
                                        .put("shortDescription", "Look after local volumes of LVM")
                                        .put("description", DESCRIPTION)
                                        .put(
                                                "platforms",
                                                ListTree.of(platform(release, archive, sha256)))
                                        .build())
                        .build());
    }

    private static ObjectTree platform(Release release, String archive, String sha256) {
        var systems =
                ObjectTree.builder()
                        .put("key", "os")
                        .put("operator", "In")
                        .put("values", ListTree.ofTexts(List.of("linux", "darwin")))
                        .build();
        return ObjectTree.builder()
                .put("selector", ObjectTree.EMPTY.with(ListTree.of(systems), "matchExpressions"))
                .put("uri", release.downloads() + "/" + archive)
                .put("sha256", sha256)
                .put("files", ListTree.of(file("kubectl-lvms"), file("LICENSE")))
                .put("bin", "kubectl-lvms")
                .build();
    }

    private static ObjectTree file(String name) {
        return ObjectTree.builder().put("from", name).put("to", ".").build();
    }
}
