package lvms.operator.takeover;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.uninstall.Reads;
import lvms.operator.uninstall.StuckException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Takes the place of a predecessor in its namespace, and gives it back until somebody confirms.
 *
 * <p>The predecessor's operator is stopped, and nothing asks it any more; its node part goes on
 * serving until our operator, which is installed after that, changes it in place. So there is one
 * operator at most at any time, and one node part on each node.
 */
public final class Takeover {
    /** Names of the systems whose place can be taken. */
    public static final List<String> SYSTEMS =
            Predecessor.ALL.stream().map(Predecessor::name).toList();

    /** What our node agents would say of files lvmd.yaml. The agents alone read all of a file. */
    public interface LvmdJudge {
        /** Finds nothing, where no agent's code is at hand. */
        LvmdJudge NONE =
                new LvmdJudge() {
                    @Override
                    public Optional<String> refusal(String yaml) {
                        return Optional.empty();
                    }

                    @Override
                    public List<String> remarks(String yaml) {
                        return List.of();
                    }

                    @Override
                    public List<String> disagreements(Map<String, String> files) {
                        return List.of();
                    }
                };

        /** Says in one line why an agent would not serve a file; empty if it would. */
        Optional<String> refusal(String yaml);

        /** Says what an agent would not do of a file that it serves, one line each. */
        List<String> remarks(String yaml);

        /**
         * Says where the files of several nodes do not mean the same, one line each.
         *
         * @param files the texts by how people call the files
         */
        List<String> disagreements(Map<String, String> files);
    }

    private static final ObjectKey GUARD = ObjectKey.cluster("lvms-in-use");

    private final KubeClient kube;
    private final Reads reads;
    private final Predecessor system;
    private final String namespace;

    /** Prepares it, without anybody to judge files lvmd.yaml. */
    public Takeover(KubeClient kube, String system, String namespace) {
        this(kube, system, namespace, LvmdJudge.NONE);
    }

    /**
     * Prepares it; nothing is asked yet.
     *
     * @param kube with the caller's rights
     * @param system one of {@link #SYSTEMS}
     * @param namespace where the predecessor's operator is, and ours will be
     * @param files judges the predecessor's files
     */
    public Takeover(KubeClient kube, String system, String namespace, LvmdJudge files) {
        this.kube = kube;
        this.reads = new Reads(kube);
        this.system = Predecessor.of(system, files).orElseThrow();
        this.namespace = namespace;
    }

    /**
     * Returns the namespaces where a system is.
     *
     * @param system one of {@link #SYSTEMS}
     */
    public static List<String> namespaces(KubeClient kube, String system)
            throws ApiException, InterruptedException {
        return Predecessor.of(system, LvmdJudge.NONE).orElseThrow().namespaces(new Reads(kube));
    }

    /** Returns what a system is found by, in the plural, for people. */
    public static String sign(String system) {
        return Predecessor.of(system, LvmdJudge.NONE).orElseThrow().sign();
    }

    /** Returns what a person does after the place was taken. */
    public String next() {
        return system.next();
    }

    /** Reads what there is, and says what taking its place would do. Changes nothing. */
    public Agenda plan() throws ApiException, InterruptedException {
        var others = others();
        if (!others.isEmpty()) {
            return Agenda.blocked(others);
        }
        var parts = system.parts(reads, namespace);
        if (parts.stream().anyMatch(part -> part.fate() == Fate.REMOVED) && isGuarded()) {
            return Agenda.blocked(
                    List.of(
                            "the guard is in force already, and keeps what has to go: kubectl"
                                    + " delete -k deploy/"
                                    + namespace
                                    + "/guard, then repeat this; do not delete the LVMCluster"));
        }
        var notes = system.notes(kube, parts);
        return new Taking(system, namespace, parts, notes, record()).agenda();
    }

    private boolean isGuarded() throws ApiException, InterruptedException {
        return reads.find(Types.VALIDATING_ADMISSION_POLICY_BINDING, GUARD)
                .flatMap(binding -> binding.text("spec", "paramRef", "namespace"))
                .filter(namespace::equals)
                .isPresent();
    }

    /** Says what giving the place back would do. Changes nothing. */
    public Agenda back() throws ApiException, InterruptedException {
        if (!system.isGivenBackByUs()) {
            var back = system.returning(reads, namespace);
            return new Agenda(back.obstacles(), List.of(), back.notes(), List.of());
        }
        return record().isPresent()
                ? new GivingBack(reads, system, namespace, record().get()).agenda()
                : Agenda.blocked(List.of(noRecord() + ": nothing can be given back"));
    }

    /** Says what confirming would do. Changes nothing. */
    public Agenda confirm() throws ApiException, InterruptedException {
        return record().isPresent() || !system.isGivenBackByUs()
                ? new Confirming(reads, system, namespace).agenda()
                : Agenda.blocked(List.of(noRecord() + ": nothing is to be confirmed"));
    }

    private String noRecord() {
        return "ConfigMap " + TakeoverRecord.key(namespace) + " does not exist";
    }

    private Optional<TakeoverRecord> record() throws ApiException, InterruptedException {
        return reads.find(Types.CONFIG_MAP, TakeoverRecord.key(namespace)).map(TakeoverRecord::of);
    }

    private List<String> others() throws ApiException, InterruptedException {
        var elsewhere =
                system.namespaces(reads).stream()
                        .filter(other -> !other.equals(namespace))
                        .toList();
        return elsewhere.isEmpty()
                ? List.of()
                : List.of(
                        system.sign()
                                + " are also in "
                                + String.join(", ", elsewhere)
                                + ": one installation serves one namespace; bring the others to"
                                + " their end first");
    }

    /**
     * Does what an agenda says.
     *
     * @param patience for each step
     * @param progress gets a line for each step, and one now and then while a step waits
     * @throws IllegalStateException if there are obstacles
     * @throws StuckException if a step does not end in time; repeat it after that
     */
    public void run(Agenda agenda, Duration patience, Consumer<String> progress)
            throws ApiException, StuckException, InterruptedException {
        if (!agenda.obstacles().isEmpty()) {
            throw new IllegalStateException("there are obstacles: " + agenda.obstacles());
        }
        var errands = new Errands(kube, patience, progress);
        for (var step : agenda.steps()) {
            errands.run(step);
        }
    }
}
