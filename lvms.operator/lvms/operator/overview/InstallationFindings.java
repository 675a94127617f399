package lvms.operator.overview;

import lvms.api.finding.Finding;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.nativestor.SettingWatch;
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
     * @param nativeStor whether the operator carries TopolvmClusters out
     */
    public static Answer of(KubeClient kube, Installation installation, boolean nativeStor)
            throws ApiException, InterruptedException {
        var look = new InstallationFindings(kube);
        var namespace = installation.namespace();
        if (installation.isTopolvm()) {
            look.find(installation.objects(), "upgrade the Helm release in " + namespace);
        } else {
            var apply = "kubectl apply -k " + Manifests.folder(namespace);
            look.find(installation.objects(), apply);
            look.find(Manifests.guard(), apply + "/guard");
            if (nativeStor) {
                var more = "kubectl apply -k " + Manifests.nativeStorFolder(namespace);
                look.find(Manifests.nativeStor(namespace), more);
                look.find(Manifests.nativeStorGuard(), more + "/guard");
                look.settings(namespace);
            }
        }
        return new Answer(List.copyOf(look.found), List.copyOf(look.gaps));
    }

    /** NativeStor did nothing without them. */
    private void settings(String namespace) throws ApiException, InterruptedException {
        try {
            for (var name : SettingWatch.NAMES) {
                if (kube.find(Types.CONFIG_MAP, ObjectKey.of(namespace, name)).isPresent()) {
                    return;
                }
            }
            found.add(
                    Finding.note(
                            "ConfigMap " + namespace + "/" + SettingWatch.NAMES.getFirst(),
                            "it is missing, so NativeStor's settings have their defaults, or what"
                                    + " variables of the operator say",
                            "nothing has to be done; docs/nativestor.md, Settings"));
        } catch (ApiException.Forbidden e) {
            gaps.add(e.getMessage());
        }
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
