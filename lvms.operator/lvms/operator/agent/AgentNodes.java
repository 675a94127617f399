package lvms.operator.agent;

import lvms.api.NodeTerms;
import lvms.api.NodeTerms.Requirement;
import lvms.api.NodeTerms.Term;
import lvms.k8s.object.KubeObject;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which nodes an agent can run on, whatever an LVMCluster asks for. Other nodes are not waited for.
 *
 * @param labels labels that a node must have besides those of our image
 * @param affinities alternatives of which a node must meet one; empty for none
 * @param architectures that the agents' image is for, as {@code kubernetes.io/arch} names them
 */
public record AgentNodes(
        Map<String, String> labels, List<List<Requirement>> affinities, Set<String> architectures) {
    private static final String OS = "kubernetes.io/os";
    private static final String ARCHITECTURE = "kubernetes.io/arch";

    // The agents' image is the one that this runs in. That it is for others as well, an index in a
    // registry, cannot be seen from here.
    private static final String OURS = nodeName(System.getProperty("os.arch"));

    /** Every node of the architecture that this runs on. */
    public static final AgentNodes DEFAULT = new AgentNodes(Map.of());

    public AgentNodes {
        labels = Map.copyOf(labels);
        affinities = List.copyOf(affinities);
        architectures = Set.copyOf(architectures);
    }

    /** Makes one without alternatives, for the architecture that this runs on. */
    public AgentNodes(Map<String, String> labels) {
        this(labels, List.of(), Set.of(OURS));
    }

    /** Returns those among them with these architectures; without any, with the one here. */
    public AgentNodes on(Collection<String> several) {
        var chosen = several.isEmpty() ? Set.of(OURS) : Set.copyOf(several);
        return new AgentNodes(labels, affinities, chosen);
    }

    /** Returns those among them that meet one of these alternatives; without any, all of them. */
    public AgentNodes meeting(List<List<Requirement>> alternatives) {
        return new AgentNodes(labels, alternatives, architectures);
    }

    // Go's names for what Java names otherwise; kubelet labels its node with Go's.
    private static String nodeName(String machine) {
        return machine.equals("aarch64") ? "arm64" : machine;
    }

    /** Returns the nodes among these. */
    public List<KubeObject> among(Collection<KubeObject> nodes) {
        return nodes.stream().filter(this::admits).toList();
    }

    // Kubelet sets both labels when it registers; a Node that somebody made by hand may lack them.
    private boolean admits(KubeObject node) {
        return node.label(OS).orElse("linux").equals("linux")
                && node.label(ARCHITECTURE).map(architectures::contains).orElse(true)
                && node.labels().entrySet().containsAll(labels.entrySet())
                && (affinities.isEmpty() || alternatives().matches(node));
    }

    /** Returns the node selector of a pod. */
    public Map<String, String> selector() {
        var selector = new TreeMap<>(labels);
        selector.put(OS, "linux");
        return selector;
    }

    private NodeTerms alternatives() {
        return new NodeTerms(affinities.stream().map(a -> new Term(a, List.of())).toList());
    }

    /** Returns what has to match besides the selector; a pod's node selector has no lists. */
    public NodeTerms terms(Optional<NodeTerms> wanted) {
        var ours =
                List.of(
                        new Requirement(
                                ARCHITECTURE, "In", architectures.stream().sorted().toList()));
        var each =
                affinities.isEmpty()
                        ? List.of(ours)
                        : affinities.stream().map(a -> and(a, ours)).toList();
        return wanted.map(terms -> and(terms, each))
                .orElseGet(
                        () ->
                                new NodeTerms(
                                        each.stream().map(r -> new Term(r, List.of())).toList()));
    }

    // A term without requirements matches nothing, and has to stay like that.
    private static NodeTerms and(NodeTerms wanted, List<List<Requirement>> each) {
        return new NodeTerms(
                wanted.terms().stream()
                        .filter(term -> !term.labels().isEmpty() || !term.fields().isEmpty())
                        .flatMap(
                                term ->
                                        each.stream()
                                                .map(
                                                        r ->
                                                                new Term(
                                                                        and(term.labels(), r),
                                                                        term.fields())))
                        .toList());
    }

    private static List<Requirement> and(List<Requirement> some, List<Requirement> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }
}
