package lvms.launcher.admin;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.node.LocalDisks;
import lvms.node.host.HostFacts;
import lvms.operator.agent.AgentNodes;
import lvms.operator.preflight.Check;
import lvms.operator.preflight.MachineChecks;
import lvms.operator.preflight.ServerChecks;
import lvms.operator.uninstall.InstalledNamespace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * {@code lvms check}, also called {@code lvms install --check}: what is in the way of an
 * installation. Nodes are looked at by pods, and only if that is asked for.
 */
public final class CheckCommand implements Command {
    private static final String NODES = "nodes";

    private final String name;

    /**
     * @param name the one of its two names under which people find it
     */
    public CheckCommand(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String summary() {
        return "say what is in the way of an installation, before anything is installed";
    }

    @Override
    public List<Flag> flags() {
        return List.of(
                LocalCommand.local(),
                LocalCommand.output(),
                new Flag(
                        NODES,
                        Flag.Kind.SWITCH,
                        "false",
                        "also look at each node, by a privileged pod that reads and is removed"),
                DisksCommand.image(),
                ClusterCommand.kubeconfig());
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster();
    }

    @Override
    public List<ExitCode> exitCodes() {
        return List.of(
                new ExitCode(0, "nothing is in the way; there may be warnings"),
                new ExitCode(1, "something is in the way, or the cluster gave no answer"),
                new ExitCode(2, "wrong flags or environment"));
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        boolean json = LocalCommand.json(flags);
        return flags.on(LocalCommand.LOCAL) ? ofMachine(json) : ofCluster(flags, json);
    }

    /** In JSON it is what was found, without a judgement: the pods of a look print it. */
    private static int ofMachine(boolean json) throws InterruptedException {
        var obstacle = LocalCommand.obstacle();
        if (obstacle.isPresent()) {
            return LocalCommand.failed(1, obstacle.get());
        }
        LocalCommand.quiet();
        try {
            var facts = HostFacts.system().read();
            var disks = DisksCommand.json(LocalDisks.read());
            var answer = "{\"machine\":" + facts.json() + ",\n" + disks + "}\n";
            if (json) {
                System.out.print(answer);
                return 0;
            }
            return said(MachineChecks.ofMachine(Json.parse(answer).asObject()), false);
        } catch (IOException e) {
            return LocalCommand.failed(1, "this machine cannot be read: " + e.getMessage());
        }
    }

    private static int ofCluster(Flags flags, boolean json)
            throws UsageException, InterruptedException {
        try (var kube = ClusterCommand.client("lvms-check", flags)) {
            var namespace = InstalledNamespace.find(kube, List.of());
            var checks = new ArrayList<>(ServerChecks.of(kube, namespace));
            checks.addAll(
                    flags.on(NODES)
                            ? ofNodes(kube, namespace, flags.text(DisksCommand.IMAGE))
                            : List.of(unseen()));
            return said(checks, json);
        } catch (ApiException e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }

    private static int said(List<Check> checks, boolean json) {
        var sections = List.of(Check.section(checks));
        System.out.print(json ? ClusterCommand.json(sections) : ClusterCommand.text(sections));
        return checks.stream().anyMatch(Check::isProblem) ? 1 : 0;
    }

    private static Check unseen() {
        return Check.unseen(
                "on the nodes",
                "kernel modules, LVM, kubelet's folder, folders that cannot be written, SELinux,"
                        + " disks",
                "add --nodes and --image=IMAGE, or run lvms check --local on a node");
    }

    private static List<Check> ofNodes(KubeClient kube, String namespace, String image)
            throws UsageException, ApiException, InterruptedException {
        var looks = new NodeLooks(kube, namespace, image);
        var all = kube.list(Types.NODE, ListOptions.all()).items();
        var nodes = AgentNodes.DEFAULT.among(all).stream().map(KubeObject::name).toList();
        System.err.printf(
                "lvms: looks at %d nodes by privileged pods lvms-disks-* with the image %s in"
                        + " namespace %s, and removes them%n",
                nodes.size(), looks.image().name(), looks.place());
        var words = List.of("check", "--local", "-o=json");
        var answers = looks.run(pods -> pods.ask(nodes, words, NodeLooks.PATIENCE));
        var checks = new ArrayList<>(MachineChecks.of(new TreeMap<>(answers)));
        for (var gap : looks.gaps()) {
            checks.add(
                    Check.problem(
                            "on the nodes",
                            gap,
                            "see that the node has the image or can pull it, and that the"
                                    + " namespace takes privileged pods"));
        }
        return checks;
    }
}
