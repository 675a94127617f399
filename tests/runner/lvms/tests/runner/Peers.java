package lvms.tests.runner;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Programs and manifests of our predecessors, which are no part of the repository. They are looked
 * for in {@code $LVMS_PEERS}, else in a folder {@code peers} one level below a sibling of the
 * clone. A test that lacks one is skipped with one line that says where it comes from.
 *
 * @param folder where they are; empty: nowhere
 */
public record Peers(Optional<Path> folder) {
    /** The sources of what the folder may hold. */
    private static final String TOPOLVM =
            "TopoLVM 0.41.0, chart 17.1.0, github.com/topolvm/topolvm";

    private static final String LVMS =
            "LVMS, main branch of 22 August 2026, github.com/openshift/lvm-operator";
    private static final String NATIVESTOR = "NativeStor 2.4.0, github.com/alauda/nativestor";

    /** A program: a file of this name, or packed, with {@code .xz} after it. */
    public enum Program {
        /** The four programs of TopoLVM in one. */
        HYPERTOPOLVM("hypertopolvm", TOPOLVM),
        /** Operator and vgmanager of LVMS. */
        LVMS_UPSTREAM("lvms-upstream", LVMS),
        /** The operator of NativeStor. */
        NATIVESTOR_OPERATOR("nativestor", NATIVESTOR),
        /** The sidecar that tells kubelet of a driver. */
        NODE_DRIVER_REGISTRAR(
                "csi-node-driver-registrar",
                "version 2.16.0, github.com/kubernetes-csi/node-driver-registrar"),
        /** The sidecar that asks a driver whether it is alive. */
        LIVENESS_PROBE("livenessprobe", "version 2.18.0, github.com/kubernetes-csi/livenessprobe");

        private final String file;
        private final String source;

        Program(String file, String source) {
            this.file = file;
            this.source = source;
        }

        /** Returns the name of its file, unpacked. */
        public String file() {
            return file;
        }
    }

    /** A folder with rendered manifests. */
    public enum Manifests {
        /** What Helm renders of TopoLVM's chart. */
        OF_TOPOLVM("topolvm", TOPOLVM),
        /** What kustomize renders of LVMS. */
        OF_LVMS("lvms", LVMS),
        /** The examples of NativeStor. */
        OF_NATIVESTOR("nativestor", NATIVESTOR);

        private final String name;
        private final String source;

        Manifests(String name, String source) {
            this.name = name;
            this.source = source;
        }
    }

    /** Looks for the folder beside this clone. */
    public static Peers find() {
        return find(Optional.ofNullable(System.getenv("LVMS_PEERS")), Path.of(""));
    }

    /** Looks where the variable says, else beside the clone; of several siblings the first. */
    static Peers find(Optional<String> variable, Path clone) {
        if (variable.isPresent() && !variable.get().isEmpty()) {
            var folder = Path.of(variable.get()).toAbsolutePath();
            return new Peers(Optional.of(folder).filter(Files::isDirectory));
        }
        var around = clone.toAbsolutePath().normalize().getParent();
        if (around == null) {
            return new Peers(Optional.empty());
        }
        try (var siblings = Files.list(around)) {
            return new Peers(
                    siblings.sorted()
                            .map(sibling -> sibling.resolve("peers"))
                            .filter(Files::isDirectory)
                            .findFirst());
        } catch (IOException e) {
            return new Peers(Optional.empty());
        }
    }

    /** Returns the program's file, packed or not; the test is skipped if it is not there. */
    public Path program(Program program) {
        require(program);
        return file(program).orElseThrow();
    }

    /** Returns a file of the manifests; the test is skipped if it is not there. */
    public Path manifest(Manifests manifests, String name) {
        require(manifests, name);
        return file(manifests, name).orElseThrow();
    }

    /** Skips the test unless all of these programs are there. */
    public void require(Program... programs) {
        var missing = missing(programs);
        assumeTrue(missing.isEmpty(), missing);
    }

    /** Skips the test unless this file of the manifests is there. */
    public void require(Manifests manifests, String name) {
        assumeTrue(
                file(manifests, name).isPresent(),
                () -> needs(manifests.name + "/" + name, manifests.source));
    }

    /** Returns in one line which of these programs are not there; empty if none is missing. */
    public String missing(Program... programs) {
        var files = new ArrayList<String>();
        for (var program : programs) {
            if (file(program).isEmpty()) {
                files.add("%s (%s)".formatted(program.file, program.source));
            }
        }
        return files.isEmpty() ? "" : needs(String.join(" and ", files));
    }

    private String needs(String file, String source) {
        return needs("%s (%s)".formatted(file, source));
    }

    /** As {@code .ci/run} looks for it. */
    private String needs(String files) {
        return folder.map(found -> "needs a predecessor's file in %s: %s".formatted(found, files))
                .orElse("needs a predecessor's file in $LVMS_PEERS or ../*/peers: " + files);
    }

    private Optional<Path> file(Program program) {
        return folder.flatMap(
                found ->
                        List.of(program.file, program.file + ".xz").stream()
                                .map(found::resolve)
                                .filter(Files::isRegularFile)
                                .findFirst());
    }

    private Optional<Path> file(Manifests manifests, String name) {
        return folder.map(found -> found.resolve(manifests.name).resolve(name))
                .filter(Files::isRegularFile);
    }
}
