package lvms.operator.agent;

import lvms.api.NodeTerms;
import lvms.api.NodeTerms.Requirement;
import lvms.api.NodeTerms.Term;
import lvms.k8s.object.KubeObject;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which nodes an agent can run on, whatever an LVMCluster asks for. Other nodes are not waited for.
 *
 * @param labels labels that a node must have besides those of our image
 */
public record AgentNodes(Map<String, String> labels) {
    /** Every node that our image is built for. */
    public static final AgentNodes DEFAULT = new AgentNodes(Map.of());

    private static final String OS = "kubernetes.io/os";
    private static final String ARCHITECTURE = "kubernetes.io/arch";

    // An image is built for one architecture, and the agents' is the one that this runs in.
    private static final String OURS = nodeName(System.getProperty("os.arch"));

    public AgentNodes {
        labels = Map.copyOf(labels);
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
                && node.label(ARCHITECTURE).orElse(OURS).equals(OURS)
                && node.labels().entrySet().containsAll(labels.entrySet());
    }

    /** Returns the node selector of a pod. */
    public Map<String, String> selector() {
        var selector = new TreeMap<>(labels);
        selector.put(OS, "linux");
        return selector;
    }

    /** Returns what has to match besides the selector; a pod's node selector has no lists. */
    public NodeTerms terms(Optional<NodeTerms> wanted) {
        var architecture = new Requirement(ARCHITECTURE, "In", List.of(OURS));
        return wanted.map(terms -> and(terms, architecture))
                .orElseGet(
                        () -> new NodeTerms(List.of(new Term(List.of(architecture), List.of()))));
    }

    // A term without requirements matches nothing, and has to stay like that.
    private static NodeTerms and(NodeTerms wanted, Requirement requirement) {
        return new NodeTerms(
                wanted.terms().stream()
                        .filter(term -> !term.labels().isEmpty() || !term.fields().isEmpty())
                        .map(term -> and(term, requirement))
                        .toList());
    }

    private static Term and(Term term, Requirement requirement) {
        var all = Stream.concat(term.labels().stream(), Stream.of(requirement)).toList();
        return new Term(all, term.fields());
    }
}
