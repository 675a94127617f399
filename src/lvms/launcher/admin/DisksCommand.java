package lvms.launcher.admin;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.disk.Disk;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;
import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.node.LocalDisks;
import lvms.operator.overview.DiskTables;
import lvms.operator.overview.Section;
import lvms.operator.preview.ClusterPreview;
import lvms.operator.preview.NodeDisks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code lvms disks}: the disks of all nodes, and which of them device classes would take. Where no
 * node agent has published them, a pod that only reads looks, and is removed again.
 */
public final class DisksCommand implements Command {
    private static final String FILE = "f";
    private static final String CLASS = "class";
    static final String IMAGE = "image";

    @Override
    public String name() {
        return "disks";
    }

    @Override
    public String summary() {
        return "show the disks of all nodes or of this machine, and what device classes would take";
    }

    @Override
    public List<Flag> flags() {
        var own =
                List.of(
                        new Flag(
                                FILE,
                                Flag.Kind.TEXT,
                                "",
                                "file with an LVMCluster: show what it would take"),
                        new Flag(
                                CLASS,
                                Flag.Kind.TEXT,
                                "",
                                "device class of the file or the cluster: show what it would take"),
                        image(),
                        ClusterCommand.kubeconfig());
        return Stream.concat(LocalCommand.flags().stream(), own.stream()).toList();
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster();
    }

    @Override
    public List<ExitCode> exitCodes() {
        return ClusterCommand.EXIT_CODES;
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        boolean json = LocalCommand.json(flags);
        return flags.on(LocalCommand.LOCAL) ? ofMachine(json) : ofCluster(flags, json);
    }

    static Flag image() {
        return new Flag(
                IMAGE, Flag.Kind.TEXT, "", "image of lvms for pods that look; else the operator's");
    }

    /** One disk on a line, so that no line is long. */
    private static int ofMachine(boolean json) throws InterruptedException {
        var obstacle = LocalCommand.obstacle();
        if (obstacle.isPresent()) {
            return LocalCommand.failed(1, obstacle.get());
        }
        LocalCommand.quiet();
        try {
            var disks = LocalDisks.read();
            System.out.print(
                    json
                            ? "{" + json(disks) + "}\n"
                            : ClusterCommand.text(List.of(DiskTables.ofMachine(disks))));
            return 0;
        } catch (IOException e) {
            return LocalCommand.failed(1, "the disks cannot be read: " + e.getMessage());
        }
    }

    /** Returns a member of a JSON object. */
    static String json(List<Disk> disks) {
        return disks.stream()
                .map(disk -> disk.json().toString())
                .collect(Collectors.joining(",\n", "\"disks\":[\n", "\n]"));
    }

    private static int ofCluster(Flags flags, boolean json)
            throws UsageException, InterruptedException {
        var file = inFile(flags.text(FILE));
        try (var kube = ClusterCommand.client("lvms-disks", flags)) {
            var look = new ClusterDisks(kube, flags.text(IMAGE));
            var nodes = look.read();
            var sections = new ArrayList<Section>();
            if (file.isPresent() || !flags.text(CLASS).isEmpty()) {
                var cluster = file.isPresent() ? file : look.cluster();
                sections.add(preview(kube, cluster, flags.text(CLASS), nodes));
            } else {
                sections.add(DiskTables.inventory(nodes));
            }
            System.out.print(json ? ClusterCommand.json(sections) : ClusterCommand.text(sections));
            return ClusterCommand.gaps(Stream.of(look.gaps())) ? 1 : 0;
        } catch (ApiException e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }

    private static Section preview(
            KubeClient kube, Optional<LvmCluster> cluster, String name, List<NodeDisks> nodes)
            throws UsageException, ApiException, InterruptedException {
        if (cluster.isEmpty()) {
            throw new UsageException("there is no LVMCluster; name a file with one: -f FILE");
        }
        if (!name.isEmpty() && cluster.get().deviceClass(name).isEmpty()) {
            throw new UsageException("the LVMCluster has no device class " + name);
        }
        var groups =
                kube.serves(LvmVolumeGroup.TYPE)
                        ? kube.list(LvmVolumeGroup.TYPE, ListOptions.all()).items()
                        : List.<KubeObject>of();
        var preview =
                ClusterPreview.of(cluster.get(), groups.stream().map(LvmVolumeGroup::of).toList());
        return DiskTables.preview(preview.on(nodes, c -> name.isEmpty() || c.name().equals(name)));
    }

    private static Optional<LvmCluster> inFile(String file) throws UsageException {
        if (file.isEmpty()) {
            return Optional.empty();
        }
        try {
            for (var tree : Yaml.readAll(Files.readString(Path.of(file)))) {
                var object = KubeObject.of(tree.asObject());
                if (object.kind().equals(LvmCluster.TYPE.kind())) {
                    return Optional.of(LvmCluster.of(object));
                }
            }
            throw new UsageException("file " + file + ": there is no LVMCluster in it");
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException("file " + file + " cannot be read: " + e.getMessage());
        }
    }
}
