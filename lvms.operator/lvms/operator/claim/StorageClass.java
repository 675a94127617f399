package lvms.operator.claim;

import lvms.api.Driver;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A StorageClass.
 *
 * @param name name
 * @param uid UID
 * @param provisioner driver that serves it
 * @param parameters parameters
 * @param reclaimPolicy {@code Delete} or {@code Retain}
 * @param mountOptions mount options
 * @param waitForFirstConsumer whether the scheduler chooses the node first
 * @param allowedTopologies terms; a node has to match one of them; empty if every node is allowed
 */
public record StorageClass(
        String name,
        String uid,
        String provisioner,
        Map<String, String> parameters,
        String reclaimPolicy,
        List<String> mountOptions,
        boolean waitForFirstConsumer,
        List<Term> allowedTopologies) {
    /** Allowed values of a node's labels; all labels have to match. */
    public record Term(Map<String, List<String>> values) {
        boolean matches(Map<String, String> labels) {
            return values.entrySet().stream()
                    .allMatch(entry -> entry.getValue().contains(labels.get(entry.getKey())));
        }
    }

    /** Returns the class of this name, if it is in the cache. */
    public static Optional<StorageClass> find(Informer classes, String name) {
        return name.isEmpty()
                ? Optional.empty()
                : classes.get(ObjectKey.cluster(name)).map(StorageClass::of);
    }

    /** Reads an object. */
    public static StorageClass of(KubeObject object) {
        return new StorageClass(
                object.name(),
                object.uid(),
                object.text("provisioner").orElse(""),
                object.textMap("parameters"),
                object.text("reclaimPolicy").orElse("Delete"),
                texts(object),
                object.text("volumeBindingMode").orElse("").equals("WaitForFirstConsumer"),
                terms(object));
    }

    private static List<String> texts(KubeObject object) {
        return object.list("mountOptions").texts();
    }

    private static List<Term> terms(KubeObject object) {
        var terms = new ArrayList<Term>();
        for (var term : object.objects("allowedTopologies")) {
            var values = new TreeMap<String, List<String>>();
            for (var requirement : term.objects("matchLabelExpressions")) {
                values.put(requirement.text("key").orElse(""), requirement.texts("values"));
            }
            terms.add(new Term(values));
        }
        return List.copyOf(terms);
    }

    /** The same with one parameter more, or another value of it. */
    public StorageClass withParameter(String key, String value) {
        var all = new HashMap<>(parameters);
        all.put(key, value);
        return new StorageClass(
                name,
                uid,
                provisioner,
                Map.copyOf(all),
                reclaimPolicy,
                mountOptions,
                waitForFirstConsumer,
                allowedTopologies);
    }

    /** Returns the device class that it asks a driver for, empty for the default one. */
    public String deviceClass(Driver driver) {
        return parameters.getOrDefault(driver.deviceClassParameter(), "");
    }

    /** Returns whether a node with these labels may have volumes of this class. */
    public boolean allows(Map<String, String> nodeLabels) {
        return allowedTopologies.isEmpty()
                || allowedTopologies.stream().anyMatch(term -> term.matches(nodeLabels));
    }
}
