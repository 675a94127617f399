package lvms.launcher.admin;

import lvms.k8s.client.ApiException;
import lvms.launcher.command.Command;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.command.LvmCommands;
import lvms.node.doctor.Diagnosis;
import lvms.operator.adoption.NotAdoptable;
import lvms.operator.adoption.UnclaimedVolumes;
import lvms.operator.inspection.LvmReport;
import lvms.operator.overview.VolumeReport;

import java.util.ArrayList;
import java.util.List;

/**
 * {@code lvms volumes}: the volumes of this machine; or, with the rights of a kubeconfig, those of
 * the cluster, retained ones and those that nothing names among them.
 */
public final class VolumesCommand implements Command {
    private static final String ADOPT = "adopt";
    private static final String AS = "as";

    @Override
    public String name() {
        return "volumes";
    }

    @Override
    public String summary() {
        return "show the volumes of the cluster or of this machine (--local), and adopt those"
                + " without an object";
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
        flags.addAll(ClusterCommand.flags());
        return flags;
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster();
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        boolean json = LocalCommand.json(flags);
        if (!flags.text(ADOPT).isEmpty()) {
            return adopt(flags);
        }
        if (!flags.on(LocalCommand.LOCAL)) {
            return ClusterCommand.show(name(), flags, VolumeReport::of, LvmReport::volumes);
        }
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

    /** Gives a volume an object again. */
    private static int adopt(Flags flags) throws UsageException, InterruptedException {
        try (var kube = ClusterCommand.client("lvms-volumes", flags)) {
            var name = new UnclaimedVolumes(kube).adopt(flags.text(ADOPT), flags.text(AS));
            System.out.println("LogicalVolume " + name + " names it now");
            return 0;
        } catch (ApiException | NotAdoptable e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }
}
