package lvms.launcher.admin;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.operator.uninstall.StuckException;
import lvms.operator.uninstall.Uninstallation;
import lvms.operator.uninstall.Wishes;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** {@code lvms uninstall}: brings an installation to its end, from whatever state it is in. */
public final class UninstallCommand implements Command {
    private static final String PLAN = "plan";
    private static final String DISKS = "disks";
    private static final String VOLUMES = "volumes";
    private static final String LOST = "lost-nodes";

    @Override
    public String name() {
        return "uninstall";
    }

    @Override
    public String summary() {
        return "remove lvms from a cluster, from whatever state it is in (--plan only says how)";
    }

    @Override
    public List<Flag> flags() {
        return List.of(
                new Flag(PLAN, Flag.Kind.SWITCH, "false", "say what would be done, do nothing"),
                Confirmation.yes(),
                new Flag(
                        DISKS,
                        Flag.Kind.TEXT,
                        "blank",
                        "blank: node agents remove volume groups and labels; keep: they stay"),
                new Flag(
                        VOLUMES,
                        Flag.Kind.WORDS,
                        "",
                        "PersistentVolumes, or LogicalVolumes without one, to remove with their"
                                + " claims and data"),
                new Flag(
                        LOST,
                        Flag.Kind.WORDS,
                        "",
                        "nodes that do not come back; their disks stay as they are"),
                Confirmation.timeout(),
                ClusterCommand.kubeconfig());
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster();
    }

    @Override
    public List<ExitCode> exitCodes() {
        return List.of(
                new ExitCode(0, "nothing is left, or the plan was printed"),
                new ExitCode(1, "something is in the way, or a step failed; repeat it after that"),
                new ExitCode(2, "wrong flags or environment, or not confirmed"));
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        var wishes = wishes(flags);
        var patience = Confirmation.patience(flags);
        try (var kube = ClusterCommand.client("lvms-uninstall", flags)) {
            return run(kube, flags, wishes, patience);
        } catch (ApiException | StuckException e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }

    private static int run(KubeClient kube, Flags flags, Wishes wishes, Duration patience)
            throws UsageException, ApiException, StuckException, InterruptedException {
        var end = Uninstallation.plan(kube, wishes);
        if (!end.obstacles().isEmpty()) {
            end.obstacles().forEach(line -> System.err.println("lvms: " + line));
            return 1;
        }
        if (end.steps().isEmpty()) {
            System.out.println("nothing of lvms is left in this cluster");
            return 0;
        }
        System.out.println("to be done:");
        end.steps().forEach(line -> System.out.println("  " + line));
        if (flags.on(PLAN)) {
            return 0;
        }
        Confirmation.require(flags);
        end.run(patience, System.out::println);
        System.out.println("done: nothing of lvms is left in this cluster");
        return 0;
    }

    static Wishes wishes(Flags flags) throws UsageException {
        var disks =
                switch (flags.text(DISKS)) {
                    case "blank" -> Wishes.Disks.BLANK;
                    case "keep" -> Wishes.Disks.KEEP;
                    default ->
                            throw new UsageException(
                                    "flag --"
                                            + DISKS
                                            + "="
                                            + flags.text(DISKS)
                                            + ": must be blank or keep");
                };
        return new Wishes(disks, Set.copyOf(flags.words(VOLUMES)), Set.copyOf(flags.words(LOST)));
    }
}
