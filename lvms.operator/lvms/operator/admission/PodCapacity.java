package lvms.operator.admission;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.admission.Admission;
import lvms.k8s.admission.AdmissionAnswer;
import lvms.k8s.admission.AdmissionRequest;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.JsonPatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes into a new pod what it wants of each device class, for the scheduler extender: an
 * annotation for each class and, in the first container, one of an extended resource that makes
 * kube-scheduler ask the extender. The patch has only these, so no field of the pod is lost.
 *
 * @param objects finds claims and StorageClasses
 * @param driver whose annotations the extender reads
 * @param drivers whose volumes count: those of a converted one lie in the same classes
 */
public record PodCapacity(Objects objects, Driver driver, Drivers drivers) implements Admission {
    /** Finds claims and StorageClasses. */
    public interface Objects {
        Optional<KubeObject> find(ResourceType type, ObjectKey key)
                throws ApiException, InterruptedException;
    }

    private static final long DEFAULT_BYTES = 1L << 30;
    private static final String[] ANNOTATIONS = {"metadata", "annotations"};
    private static final String RESOURCES = "resources";
    private static final String FIRST = "0";

    @Override
    public AdmissionAnswer judge(AdmissionRequest request)
            throws ApiException, InterruptedException {
        if (!request.operation().equals("CREATE") || request.object().isEmpty()) {
            return AdmissionAnswer.allowed();
        }
        var pod = request.object().get();
        var containers = pod.objects("spec", "containers");
        if (containers.isEmpty()) {
            return AdmissionAnswer.denied("the pod has no containers", List.of());
        }
        var namespace = pod.namespace().isEmpty() ? request.namespace() : pod.namespace();
        var wanted = wanted(pod, namespace);
        return wanted.isEmpty()
                ? AdmissionAnswer.allowed()
                : AdmissionAnswer.patched(patch(pod, containers.getFirst(), wanted));
    }

    /** Returns the bytes of each annotation; nothing once a volume of ours has its place. */
    private Map<String, Long> wanted(KubeObject pod, String namespace)
            throws ApiException, InterruptedException {
        var wanted = new TreeMap<String, Long>();
        for (var volume : pod.objects("spec", "volumes")) {
            var claim = claim(volume, namespace);
            var storageClass = claim.isEmpty() ? Optional.<StorageClass>empty() : ours(claim.get());
            if (storageClass.isEmpty()) {
                continue;
            }
            if (!claim.get().isPending()) {
                return Map.of();
            }
            long asked = claim.get().requestedBytes();
            wanted.merge(
                    annotation(storageClass.get()), asked == 0 ? DEFAULT_BYTES : asked, Long::sum);
        }
        return wanted;
    }

    /** The claim of a volume; one that is yet to be made of a template is pending. */
    private Optional<Claim> claim(ObjectTree volume, String namespace)
            throws ApiException, InterruptedException {
        var name = volume.text("persistentVolumeClaim", "claimName");
        if (name.isPresent()) {
            return objects.find(Types.PVC, ObjectKey.of(namespace, name.get())).map(Claim::new);
        }
        return volume.object("ephemeral", "volumeClaimTemplate", "spec")
                .map(
                        spec ->
                                new Claim(
                                        KubeObject.of(ObjectTree.EMPTY)
                                                .with(spec, "spec")
                                                .with("Pending", "status", "phase")));
    }

    private Optional<StorageClass> ours(Claim claim) throws ApiException, InterruptedException {
        var name = claim.className();
        if (name.isEmpty()) {
            return Optional.empty();
        }
        return objects.find(Types.STORAGE_CLASS, ObjectKey.cluster(name))
                .map(StorageClass::of)
                .filter(found -> drivers.serve(found.provisioner()));
    }

    private String annotation(StorageClass storageClass) {
        var provisioner = drivers.named(storageClass.provisioner()).orElseThrow();
        return driver.capacityAnnotation(storageClass.deviceClass(provisioner));
    }

    private JsonPatch patch(KubeObject pod, ObjectTree container, Map<String, Long> wanted) {
        var patch = JsonPatch.create();
        var texts = new TreeMap<String, String>();
        wanted.forEach((key, bytes) -> texts.put(key, Long.toString(bytes)));
        patch = added(patch, pod.object(ANNOTATIONS), texts, ANNOTATIONS);
        var one = Map.of(driver.capacityResource(), Quantity.ofBytes(1).toString());
        if (container.object(RESOURCES).isEmpty()) {
            patch = patch.add(ObjectTree.EMPTY, "spec", "containers", FIRST, RESOURCES);
        }
        for (var kind : List.of("requests", "limits")) {
            var present = container.object(RESOURCES, kind);
            patch = added(patch, present, one, "spec", "containers", FIRST, RESOURCES, kind);
        }
        return patch;
    }

    private static JsonPatch added(
            JsonPatch patch,
            Optional<ObjectTree> present,
            Map<String, String> texts,
            String... path) {
        if (present.isEmpty()) {
            return patch.add(ObjectTree.ofTexts(texts), path);
        }
        var more = patch;
        for (var text : texts.entrySet()) {
            var below = Arrays.copyOf(path, path.length + 1);
            below[path.length] = text.getKey();
            more = more.add(Tree.of(text.getValue()), below);
        }
        return more;
    }
}
