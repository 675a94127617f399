package lvms.operator.admission;

import lvms.api.DeviceClass;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.k8s.admission.Admission;
import lvms.k8s.admission.AdmissionAnswer;
import lvms.k8s.admission.AdmissionRequest;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.cluster.AcceptedClasses;
import lvms.operator.cluster.rule.ClusterRules;
import lvms.operator.cluster.rule.Verdict;
import lvms.operator.preview.ClusterPreview;
import lvms.operator.preview.PreviewText;
import lvms.operator.preview.PublishedDisks;
import lvms.operator.unit.VolumeGroupUnit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Refuses an LVMCluster that the controller would reject, with all reasons at once. What an object
 * has already is no reason: it may have been taken while nobody was asked, or by other rules.
 *
 * @param kube reads what is in the cluster for each question, so that a process that only stands by
 *     can answer
 * @param namespace where the operator works
 */
public record ClusterChecks(KubeClient kube, String namespace) implements Admission {
    @Override
    public AdmissionAnswer judge(AdmissionRequest request)
            throws ApiException, InterruptedException {
        if (request.object().isEmpty()) {
            return AdmissionAnswer.allowed();
        }
        var next = LvmCluster.of(request.object().get());
        var verdict =
                request.old().isEmpty()
                        ? ClusterRules.create(next, surroundings())
                        : change(LvmCluster.of(request.old().get()), next);
        return verdict.accepted()
                ? AdmissionAnswer.allowed(warnings(verdict, request, next))
                : AdmissionAnswer.denied(String.join("; ", verdict.errors()), verdict.warnings());
    }

    /** The API server shows them for a dry run too, so a user sees what would become of disks. */
    private List<String> warnings(Verdict verdict, AdmissionRequest request, LvmCluster next)
            throws ApiException, InterruptedException {
        var old = request.old().map(LvmCluster::of).map(LvmCluster::deviceClasses);
        Predicate<DeviceClass> isNew = deviceClass -> old.stream().noneMatch(has(deviceClass));
        if (next.object().terminating() || next.deviceClasses().stream().noneMatch(isNew)) {
            return verdict.warnings();
        }
        var groups = inNamespace(LvmVolumeGroup.TYPE).stream().map(LvmVolumeGroup::of).toList();
        var preview =
                ClusterPreview.of(next, groups).on(PublishedDisks.read(kube, namespace), isNew);
        return Stream.concat(verdict.warnings().stream(), PreviewText.lines(preview).stream())
                .toList();
    }

    private static Predicate<List<DeviceClass>> has(DeviceClass wanted) {
        return classes ->
                classes.stream()
                        .filter(present -> present.name().equals(wanted.name()))
                        .anyMatch(present -> present.group().equals(wanted.group()));
    }

    private ClusterRules.Surroundings surroundings() throws ApiException, InterruptedException {
        var others = inNamespace(LvmCluster.TYPE).stream().map(KubeObject::key).sorted().toList();
        return new ClusterRules.Surroundings(namespace, others);
    }

    private List<KubeObject> inNamespace(ResourceType type)
            throws ApiException, InterruptedException {
        return kube.list(type, ListOptions.all().namespace(namespace)).items();
    }

    /** Finalizers and labels may always be changed. */
    private Verdict change(LvmCluster old, LvmCluster next)
            throws ApiException, InterruptedException {
        if (next.object().terminating() || next.object().sameAt(old.object(), "spec")) {
            return new Verdict(List.of(), List.of());
        }
        var accepted = accepted(next);
        return ClusterRules.now(next, accepted).beyond(ClusterRules.now(old, accepted));
    }

    private List<DeviceClass> accepted(LvmCluster cluster)
            throws ApiException, InterruptedException {
        var groups =
                inNamespace(LvmVolumeGroup.TYPE).stream()
                        .filter(group -> VolumeGroupUnit.controls(cluster, group))
                        .map(LvmVolumeGroup::of)
                        .toList();
        Map<ObjectKey, KubeObject> storageClasses =
                kube.list(Types.STORAGE_CLASS, ListOptions.all()).items().stream()
                        .collect(Collectors.toMap(KubeObject::key, Function.identity()));
        return AcceptedClasses.of(
                groups,
                name -> Optional.ofNullable(storageClasses.get(ObjectKey.cluster(name))),
                cluster);
    }
}
