package lvms.tests.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The programs that {@code ./build.sh programs} built.
 *
 * @param cache the download cache
 * @param modules the folder whose go.mod files pin the versions
 */
public record Programs(Path cache, Path modules) {
    /** The newest version of Kubernetes that is supported; all of its parts are built. */
    public static final String NEWEST = "1.36.3";

    /** The oldest one, of which only the API server is built. */
    public static final String OLDEST = "1.31.0";

    private static final Pattern REQUIRED = Pattern.compile("(?m)^require \\S+ (v\\S+)$");

    /** Makes the paths absolute. */
    public Programs {
        cache = cache.toAbsolutePath();
        modules = modules.toAbsolutePath();
    }

    /** Finds them as build.sh says, from the root of the sources. */
    public static Programs find() {
        return new Programs(
                Path.of(System.getProperty("lvms.cache")), Path.of("tests/conformance/go"));
    }

    /** Returns a program of a version of Kubernetes, such as {@code kubelet} of 1.36.3. */
    public Path kubernetes(String version, String program) {
        return built("v" + version, program);
    }

    /**
     * Returns a program of a version, or that of the newest where the version's own is not built:
     * controllers also speak to an older API server.
     */
    Path nearest(String version, String program) {
        boolean own = Files.exists(folderOf("v" + version).resolve(program));
        return kubernetes(own || program.equals("kube-apiserver") ? version : NEWEST, program);
    }

    public Path etcd() {
        return built(folder("etcd"), "etcd");
    }

    public Path snapshotController() {
        return kubernetes(NEWEST, "snapshot-controller");
    }

    /** Returns the folder with the definitions of snapshots and of group snapshots. */
    public Path snapshotDefinitions() {
        return kubernetes(NEWEST, "crd");
    }

    public Path csiSanity() {
        return built(folder("csi-sanity"), "csi-sanity");
    }

    /** Returns Helm, with which users install the chart. */
    public Path helm() {
        return built(folder("helm"), "helm");
    }

    /** Returns a registry of container images; built only where it is named. */
    public Path registry() {
        return built(folder("registry"), "registry");
    }

    /**
     * Returns a program that stands beside a CSI driver, such as {@code csi-provisioner}; {@code
     * ./build.sh programs} builds it only where it is named.
     */
    public Path sidecar(String program) {
        return built(folder("csi-sidecars"), program);
    }

    /** Returns the programs of TopoLVM 0.10 in one; built only where it is named. */
    public Path oldTopolvm() {
        return built(folder("topolvm-0.10"), "hypertopolvm");
    }

    /**
     * Returns {@code e2e.test}, Kubernetes' own tests, {@code ginkgo}, which runs them, or {@code
     * agnhost}, which their pods run; {@code ./build.sh programs} builds them only where they are
     * named.
     */
    public Path e2e(String program) {
        return built(folder("e2e"), program);
    }

    private String folder(String module) {
        try {
            var text = Files.readString(modules.resolve(module).resolve("go.mod"));
            var version = REQUIRED.matcher(text);
            if (!version.find()) {
                throw new IllegalStateException(module + "/go.mod requires nothing");
            }
            return module + "-" + version.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path folderOf(String name) {
        return cache.resolve("kubernetes").resolve(name);
    }

    private Path built(String folder, String program) {
        var file = folderOf(folder).resolve(program);
        if (!Files.exists(file)) {
            throw new IllegalStateException(file + " is missing: ./build.sh programs builds it");
        }
        return file;
    }
}
