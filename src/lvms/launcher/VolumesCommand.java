package lvms.launcher;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.config.KubeConfigException;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.command.LvmCommands;
import lvms.node.doctor.Diagnosis;
import lvms.operator.adoption.NotAdoptable;
import lvms.operator.adoption.UnclaimedVolumes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code lvms volumes}: the volumes of this machine; or, with the rights of a kubeconfig, those of
 * the cluster that no LogicalVolume names.
 */
final class VolumesCommand implements Command {
    private static final String ADOPT = "adopt";
    private static final String AS = "as";
    private static final String KUBECONFIG = "kubeconfig";

    @Override
    public String name() {
        return "volumes";
    }

    @Override
    public String summary() {
        return "show the volumes of this machine (--local), or find and adopt those without an"
                + " object";
    }

    @Override
    public List<Flag> flags() {
        var flags = new ArrayList<>(LocalCommand.flags());
        flags.add(
                new Flag(
                        ADOPT,
                        Flag.Kind.TEXT,
                        "",
                        "volume without a LogicalVolume that gets one again"));
        flags.add(
                new Flag(
                        AS,
                        Flag.Kind.TEXT,
                        "",
                        "name of that LogicalVolume; else its tag or PersistentVolume says it"));
        flags.add(
                new Flag(
                        KUBECONFIG,
                        Flag.Kind.TEXT,
                        "",
                        "kubeconfig file; else as kubectl finds it"));
        return flags;
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster();
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        if (!flags.on(LocalCommand.LOCAL)) {
            return unclaimed(flags);
        }
        boolean json = LocalCommand.json(name(), flags);
        var obstacle = LocalCommand.obstacle();
        if (obstacle.isPresent()) {
            return LocalCommand.failed(1, obstacle.get());
        }
        var options = LocalCommand.choice().options();
        // One report is not worth the start of a worker.
        try (var lvm = LvmCommands.open(options.withEngine(LvmOptions.Engine.EXEC))) {
            var groups = lvm.groups().reports();
            System.out.print(
                    json ? Diagnosis.volumesJson(groups) + "\n" : Diagnosis.volumesText(groups));
            return 0;
        } catch (LvmException e) {
            return LocalCommand.failed(1, LocalCommand.noLvm(e));
        }
    }

    /** Shows the volumes that no object names, or gives one an object. */
    private static int unclaimed(Flags flags) throws UsageException, InterruptedException {
        try (var kube = client(flags)) {
            var volumes = new UnclaimedVolumes(kube);
            if (!flags.text(ADOPT).isEmpty()) {
                var name = volumes.adopt(flags.text(ADOPT), flags.text(AS));
                System.out.println("LogicalVolume " + name + " names it now");
                return 0;
            }
            for (var found : volumes.all()) {
                var volume = found.volume();
                System.out.println(
                        String.join(
                                "\t",
                                found.node(),
                                found.deviceClass(),
                                volume.name(),
                                volume.size().toString(),
                                volume.object()));
            }
            return 0;
        } catch (ApiException | NotAdoptable e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }

    private static KubeClient client(Flags flags) throws UsageException {
        var file = Optional.of(flags.text(KUBECONFIG)).filter(f -> !f.isEmpty()).map(Path::of);
        try {
            return KubeClient.open(
                            KubeConfig.load(file), "lvms-volumes/" + VersionCommand.version())
                    .withFieldManager("lvms-volumes");
        } catch (KubeConfigException e) {
            throw new UsageException(
                    "cannot find a Kubernetes cluster: "
                            + e.getMessage()
                            + "; --local shows the volumes of this machine");
        }
    }
}
