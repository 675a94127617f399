package lvms.launcher.admin;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.Names;
import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.operator.takeover.Agenda;
import lvms.operator.takeover.Takeover;
import lvms.operator.uninstall.StuckException;

import java.time.Duration;
import java.util.List;

/** {@code lvms takeover VERB}: takes the place of another system, or gives it back. */
public final class TakeoverCommand implements Command {
    private static final String FROM = "from";
    private static final String NAMESPACE = "namespace";

    private final Verb verb;

    /** What is asked for. */
    public enum Verb {
        /** Says what would be done. */
        PLAN("show what taking the place of another system would do; changes nothing"),

        /** Stops the other system, so that ours can be installed in its place. */
        RUN("stop another system, so that lvms can be installed in its place"),

        /** Brings the other system back. */
        BACK("bring the other system back, as long as the take-over is not confirmed"),

        /** Removes what nobody needs any more. */
        CONFIRM("remove what the other system left; after that there is no way back");

        private final String summary;

        Verb(String summary) {
            this.summary = summary;
        }
    }

    /** Creates the command of one verb. */
    public TakeoverCommand(Verb verb) {
        this.verb = verb;
    }

    @Override
    public String name() {
        return "takeover " + verb.name().toLowerCase(java.util.Locale.ROOT);
    }

    @Override
    public String summary() {
        return verb.summary;
    }

    @Override
    public List<Flag> flags() {
        var system =
                new Flag(
                        FROM,
                        Flag.Kind.TEXT,
                        "",
                        "the other system: " + String.join(", ", Takeover.SYSTEMS));
        var namespace =
                new Flag(
                        NAMESPACE,
                        Flag.Kind.TEXT,
                        "",
                        "where its operator or controller is; else it is looked for");
        return verb == Verb.PLAN
                ? List.of(system, namespace, ClusterCommand.kubeconfig())
                : List.of(
                        system,
                        namespace,
                        Confirmation.yes(),
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
                new ExitCode(0, "done, or the plan was printed and nothing is in the way"),
                new ExitCode(1, "something is in the way, or a step failed; repeat it after that"),
                new ExitCode(2, "wrong flags or environment, or not confirmed"));
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        var system = flags.text(FROM);
        if (!Takeover.SYSTEMS.contains(system)) {
            throw new UsageException(
                    "flag --"
                            + FROM
                            + "="
                            + system
                            + ": must be "
                            + String.join(" or ", Takeover.SYSTEMS));
        }
        var patience = verb == Verb.PLAN ? Duration.ZERO : Confirmation.patience(flags);
        requireName(flags.text(NAMESPACE));
        try (var kube = ClusterCommand.client("lvms-takeover", flags)) {
            var takeover = new Takeover(kube, system, namespace(kube, flags), new AgentsJudge());
            return run(takeover, flags, patience);
        } catch (ApiException | StuckException e) {
            return LocalCommand.failed(1, e.getMessage());
        }
    }

    /** What cannot be a name would be asked for in a path of the API. */
    private static void requireName(String namespace) throws UsageException {
        if (!namespace.isEmpty() && !Names.isDnsLabel(namespace)) {
            throw new UsageException(
                    "flag --" + NAMESPACE + "=" + namespace + ": must be the name of a namespace");
        }
    }

    private int run(Takeover takeover, Flags flags, Duration patience)
            throws UsageException, ApiException, StuckException, InterruptedException {
        var agenda =
                switch (verb) {
                    case PLAN, RUN -> takeover.plan();
                    case BACK -> takeover.back();
                    case CONFIRM -> takeover.confirm();
                };
        System.out.print(text(agenda));
        agenda.obstacles().forEach(line -> System.err.println("lvms: " + line));
        if (!agenda.obstacles().isEmpty()) {
            return 1;
        }
        if (verb == Verb.PLAN || agenda.lines().isEmpty()) {
            return 0;
        }
        Confirmation.require(flags);
        takeover.run(agenda, patience, System.out::println);
        System.out.println(end(takeover));
        return 0;
    }

    private String end(Takeover takeover) {
        return switch (verb) {
            case PLAN, RUN -> "done: now " + takeover.next();
            case BACK -> "done: the other system serves again";
            case CONFIRM -> "done: the take-over is confirmed";
        };
    }

    static String text(Agenda agenda) {
        var out = new StringBuilder();
        section(out, "objects", agenda.objects());
        section(out, "to know", agenda.notes());
        section(out, "to be done", agenda.lines());
        if (agenda.lines().isEmpty() && agenda.obstacles().isEmpty()) {
            out.append("nothing is to be done\n");
        }
        return out.toString();
    }

    private static void section(StringBuilder out, String head, List<String> lines) {
        if (!lines.isEmpty()) {
            out.append(head).append(":\n");
            lines.forEach(line -> out.append("  ").append(line).append('\n'));
        }
    }

    private static String namespace(KubeClient kube, Flags flags)
            throws UsageException, ApiException, InterruptedException {
        if (!flags.text(NAMESPACE).isEmpty()) {
            return flags.text(NAMESPACE);
        }
        var found = Takeover.namespaces(kube, flags.text(FROM));
        var sign = Takeover.sign(flags.text(FROM));
        if (found.size() != 1) {
            throw new UsageException(
                    found.isEmpty()
                            ? "there are no " + sign + ": say by --namespace where to look"
                            : sign
                                    + " are in "
                                    + String.join(", ", found)
                                    + ": choose one by --namespace");
        }
        return found.getFirst();
    }
}
