package lvms.operator.preflight;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.agent.AgentNodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the API server alone says about an installation that is to come. */
public final class ServerChecks {
    private static final String PRIVILEGED = "privileged";
    private static final String ENFORCE = "pod-security.kubernetes.io/enforce";
    private static final Pattern VERSION = Pattern.compile("v1\\.(\\d+)\\..*");
    private static final int OLDEST = 31;

    private final KubeClient kube;
    private final String namespace;
    private final List<Check> checks = new ArrayList<>();

    /** Asks the server one thing, and judges the answer. */
    @FunctionalInterface
    private interface Question {
        List<Check> ask() throws ApiException, InterruptedException;
    }

    private ServerChecks(KubeClient kube, String namespace) {
        this.kube = kube;
        this.namespace = namespace;
    }

    /**
     * Asks for everything; what may not be read is a check that nobody has seen.
     *
     * @param namespace where lvms is to be installed
     */
    public static List<Check> of(KubeClient kube, String namespace)
            throws ApiException, InterruptedException {
        var all = new ServerChecks(kube, namespace);
        all.add("Kubernetes", () -> List.of(version(kube.serverVersion())));
        all.add("rights", () -> List.of(new Rights(kube, namespace).check()));
        all.add("other drivers", () -> new Occupants(kube).checks());
        all.add("namespace", () -> List.of(namespace(namespace, all.found())));
        all.add("snapshots", () -> List.of(snapshots(kube.serves(Types.VOLUME_SNAPSHOT))));
        all.add("nodes", all::nodes);
        return List.copyOf(all.checks);
    }

    private void add(String subject, Question question) throws ApiException, InterruptedException {
        try {
            checks.addAll(question.ask());
        } catch (ApiException.Forbidden e) {
            checks.add(Check.unseen(subject, e.getMessage(), "ask for the right to read it"));
        }
    }

    static Check version(String version) {
        var known = VERSION.matcher(version);
        boolean old = known.matches() && Integer.parseInt(known.group(1)) < OLDEST;
        return old
                ? Check.problem("Kubernetes", version + " is too old", "upgrade it to v1." + OLDEST)
                : Check.ok("Kubernetes", version);
    }

    private Optional<KubeObject> found() throws ApiException, InterruptedException {
        return kube.find(Types.NAMESPACE, ObjectKey.cluster(namespace));
    }

    static Check namespace(String name, Optional<KubeObject> found) {
        var subject = "namespace";
        if (found.isEmpty()) {
            return Check.ok(
                    subject, name + " is not there; the manifests allow privileged pods in it");
        }
        if (found.get().terminating()) {
            return Check.problem(
                    subject, name + " is being deleted", "wait for its end; lvms uninstall --plan");
        }
        var enforced = found.get().label(ENFORCE).orElse("");
        return enforced.equals(PRIVILEGED)
                ? Check.ok(subject, name + " allows privileged pods")
                : Check.warning(
                        subject,
                        name
                                + " has no label that allows privileged pods, which the agents are"
                                + (enforced.isEmpty() ? "" : ": it enforces " + enforced),
                        "kubectl label namespace " + name + " " + ENFORCE + "=" + PRIVILEGED);
    }

    static Check snapshots(boolean served) {
        return served
                ? Check.ok("snapshots", "the cluster has VolumeSnapshots")
                : Check.warning(
                        "snapshots",
                        "the cluster has no VolumeSnapshots; volumes work without them",
                        "install external-snapshotter's types and its snapshot-controller");
    }

    private List<Check> nodes() throws ApiException, InterruptedException {
        return nodes(kube.list(Types.NODE, ListOptions.all()).items());
    }

    static List<Check> nodes(List<KubeObject> all) {
        var ours = AgentNodes.DEFAULT.among(all);
        if (ours.isEmpty()) {
            return List.of(
                    Check.problem(
                            "nodes",
                            "none runs Linux on the architecture of this program",
                            "use an image for the architecture of the nodes"));
        }
        var checks = new ArrayList<Check>();
        checks.add(Check.ok("nodes", ours.size() + " of " + all.size() + " can have an agent"));
        var folders = new TreeMap<String, List<KubeObject>>();
        for (var node : ours) {
            kubelet(node)
                    .ifPresent(f -> folders.computeIfAbsent(f, _ -> new ArrayList<>()).add(node));
        }
        folders.forEach(
                (folder, nodes) ->
                        checks.add(
                                Check.warning(
                                        "kubelet's folder",
                                        nodes.stream()
                                                        .map(KubeObject::name)
                                                        .collect(Collectors.joining(", "))
                                                + " should have it in "
                                                + folder,
                                        "add --kubelet-root=" + folder + " to the operator")));
        return checks;
    }

    /** Distributions whose folder is another one, by what they write into their Node objects. */
    private static Optional<String> kubelet(KubeObject node) {
        var version = node.text("status", "nodeInfo", "kubeletVersion").orElse("");
        if (version.contains("+k0s")) {
            return Optional.of("/var/lib/k0s/kubelet");
        }
        return node.label("microk8s.io/cluster").isPresent()
                ? Optional.of("/var/snap/microk8s/common/var/lib/kubelet")
                : Optional.empty();
    }
}
