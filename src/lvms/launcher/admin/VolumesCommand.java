package lvms.launcher.admin;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.tree.ObjectTree;
import lvms.launcher.command.Command;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.command.LvmCommands;
import lvms.node.doctor.Diagnosis;
import lvms.operator.adoption.NodeMove;
import lvms.operator.adoption.NotAdoptable;
import lvms.operator.adoption.RetainedVolume;
import lvms.operator.adoption.UnclaimedVolumes;
import lvms.operator.inspection.LvmReport;
import lvms.operator.inspection.NodeInspection;
import lvms.operator.overview.Overview;
import lvms.operator.overview.VolumeReport;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code lvms volumes}: the volumes of this machine; or, with the rights of a kubeconfig, those of
 * the cluster, retained ones and those that nothing names among them.
 */
public final class VolumesCommand implements Command {
    private static final String ADOPT = "adopt";
    private static final String AS = "as";
    private static final String DELETE = "delete";
    private static final String ALL_RETAINED = "delete-retained";
    private static final String OLDER = "older-than";
    private static final String FROM = "from-node";
    private static final String TO = "to-node";
    private static final String PLAN = "plan";

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
        flags.add(
                new Flag(
                        DELETE,
                        Flag.Kind.TEXT,
                        "",
                        "retained PersistentVolume, or LogicalVolume that nothing names, to delete"
                                + " with its data"));
        flags.add(
                new Flag(
                        ALL_RETAINED,
                        Flag.Kind.SWITCH,
                        "false",
                        "delete each PersistentVolume with the policy Retain that has been released"
                                + " for a time, with its data"));
        flags.add(new Flag(OLDER, Flag.Kind.TEXT, "", "that time: 30d, 12h"));
        flags.add(
                new Flag(
                        FROM,
                        Flag.Kind.TEXT,
                        "",
                        "node that is away; its volumes move to the node that has its disks now"));
        flags.add(new Flag(TO, Flag.Kind.TEXT, "", "that other node"));
        flags.add(
                new Flag(
                        PLAN, Flag.Kind.SWITCH, "false", "say what would be done, and do nothing"));
        flags.add(Confirmation.yes());
        flags.add(Confirmation.timeout());
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
        requireOneWish(flags);
        if (!flags.text(ADOPT).isEmpty()) {
            return adopt(flags);
        }
        if (!flags.text(DELETE).isEmpty()) {
            return delete(flags);
        }
        if (flags.on(ALL_RETAINED)) {
            return deleteRetained(flags);
        }
        if (!flags.text(FROM).isEmpty()) {
            return move(flags);
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

    /** What only one of several flags could mean is done by none. */
    private static void requireOneWish(Flags flags) throws UsageException {
        var changes = new ArrayList<String>();
        Stream.of(ADOPT, DELETE, FROM).filter(f -> !flags.text(f).isEmpty()).forEach(changes::add);
        if (flags.on(ALL_RETAINED)) {
            changes.add(ALL_RETAINED);
        }
        if (changes.size() > 1) {
            throw new UsageException(
                    "--" + String.join(" and --", changes) + " do not go together: name one");
        }
        if (flags.text(FROM).isEmpty() != flags.text(TO).isEmpty()) {
            throw new UsageException("--" + FROM + " and --" + TO + " go together");
        }
        if (flags.on(ALL_RETAINED) == flags.text(OLDER).isEmpty()) {
            throw new UsageException("--" + ALL_RETAINED + " and --" + OLDER + " go together");
        }
        if (flags.on(PLAN) && (changes.isEmpty() || changes.contains(ADOPT))) {
            throw new UsageException(
                    "--"
                            + PLAN
                            + " goes with "
                            + String.join(" or ", "--" + DELETE, "--" + ALL_RETAINED, "--" + FROM)
                            + " alone");
        }
        if (flags.on(LocalCommand.LOCAL) && !changes.isEmpty()) {
            throw new UsageException(
                    "--" + changes.getFirst() + " works on the cluster: leave out --local");
        }
    }

    /** Deletes a volume that no claim has. */
    private static int delete(Flags flags) throws UsageException, InterruptedException {
        try (var kube = ClusterCommand.client("lvms-volumes", flags)) {
            var volume = RetainedVolume.find(kube, flags.text(DELETE));
            System.out.println(volume.line());
            if (!flags.on(PLAN)) {
                Confirmation.require(flags);
                volume.delete();
            }
            return 0;
        } catch (ApiException | NotAdoptable e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }

    /** Deletes what no claim has had for long; a volume that somebody takes meanwhile stays. */
    private static int deleteRetained(Flags flags) throws UsageException, InterruptedException {
        var age = Age.of(OLDER, flags.text(OLDER));
        try (var kube = ClusterCommand.client("lvms-volumes", flags)) {
            var found = RetainedVolume.releasedBefore(kube, Instant.now().minus(age));
            found.volumes().forEach(volume -> System.out.println(volume.line()));
            found.refusals().forEach(line -> System.err.println("lvms: " + line));
            boolean complete = found.refusals().isEmpty();
            if (!flags.on(PLAN) && !found.volumes().isEmpty()) {
                Confirmation.require(flags);
                complete &= deleted(found.volumes());
            }
            return complete ? 0 : 1;
        } catch (ApiException e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }

    private static boolean deleted(List<RetainedVolume> volumes)
            throws ApiException, InterruptedException {
        boolean all = true;
        for (var volume : volumes) {
            try {
                volume.delete();
            } catch (ApiException.Conflict e) {
                System.err.println("lvms: not deleted, it was changed meanwhile: " + volume.line());
                all = false;
            }
        }
        return all;
    }

    /** Takes up the volumes of a node that has another name now, or whose disks were moved. */
    private static int move(Flags flags) throws UsageException, InterruptedException {
        var from = flags.text(FROM);
        var to = flags.text(TO);
        var patience = Confirmation.patience(flags);
        try (var kube = ClusterCommand.client("lvms-volumes", flags)) {
            var move = NodeMove.plan(kube, from, to, lvmOf(kube, to));
            move.lines().forEach(System.out::println);
            if (!move.obstacles().isEmpty()) {
                move.obstacles().forEach(line -> System.err.println("lvms: " + line));
                return 1;
            }
            if (!flags.on(PLAN)) {
                Confirmation.require(flags);
                move.run(patience);
            }
            return 0;
        } catch (ApiException | NotAdoptable e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }

    /** What LVM says on a node is the proof, so without an answer nothing moves. */
    private static ObjectTree lvmOf(KubeClient kube, String node)
            throws ApiException, NotAdoptable, InterruptedException {
        var overview = Overview.read(kube, InstantSource.system());
        var answers = new NodeInspection(kube, overview).json("volumes", "--local", "-o=json");
        var ofNode = answers.byNode().get(node);
        if (ofNode == null) {
            var gaps = answers.gaps().stream().filter(g -> !g.isEmpty()).toList();
            throw new NotAdoptable(
                    "no agent on node "
                            + node
                            + " says what disks it has: "
                            + (gaps.isEmpty() ? "it has none" : String.join("; ", gaps)));
        }
        return ofNode;
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
