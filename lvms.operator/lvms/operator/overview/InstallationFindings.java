package lvms.operator.overview;

import lvms.api.finding.Finding;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ResourceType;
import lvms.operator.uninstall.Manifests;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which of the shipped objects, among them the roles, are missing. */
public final class InstallationFindings {
    private final KubeClient kube;
    private final List<Finding> found = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();
    private final Set<ResourceType> unread = new HashSet<>();

    private InstallationFindings(KubeClient kube) {
        this.kube = kube;
    }

    /**
     * What was found out.
     *
     * @param findings what is missing
     * @param gaps what the caller may not look for, one line each
     */
    public record Answer(List<Finding> findings, List<String> gaps) {}

    /**
     * Looks for each object.
     *
     * @param installation what is installed, and where
     */
    public static Answer of(KubeClient kube, Installation installation)
            throws ApiException, InterruptedException {
        var look = new InstallationFindings(kube);
        var namespace = installation.namespace();
        if (installation.isTopolvm()) {
            look.find(installation.objects(), "upgrade the Helm release in " + namespace);
        } else {
            var apply = "kubectl apply -k " + Manifests.folder(namespace);
            look.find(installation.objects(), apply);
            look.find(Manifests.guard(), apply + "/guard");
        }
        return new Answer(List.copyOf(look.found), List.copyOf(look.gaps));
    }

    private void find(List<Manifests.Entry> entries, String cure)
            throws ApiException, InterruptedException {
        for (var entry : entries) {
            if (unread.contains(entry.type())) {
                continue;
            }
            try {
                if (kube.find(entry.type(), entry.key()).isEmpty()) {
                    found.add(
                            Finding.error(
                                    entry.type().kind() + " " + entry.key(),
                                    "it is missing",
                                    cure));
                }
            } catch (ApiException.Forbidden | ApiException.Misdirected e) {
                unread.add(entry.type()); // the same for each of its kind
                gaps.add(e.getMessage());
            }
        }
    }
}
