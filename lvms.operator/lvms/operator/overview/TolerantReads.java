package lvms.operator.overview;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Reads what the caller may read. What it may not, or what cannot be read, is a gap. */
final class TolerantReads {
    private final KubeClient kube;
    private final List<String> gaps = new ArrayList<>();
    private final Set<String> unserved = new LinkedHashSet<>();
    private final Set<ResourceType> unread = new HashSet<>();

    TolerantReads(KubeClient kube) {
        this.kube = kube;
    }

    /** What is not shown, one line each; all types that the server does not know in one. */
    List<String> gaps() {
        if (unserved.isEmpty()) {
            return List.copyOf(gaps);
        }
        var all = new ArrayList<>(gaps);
        all.add(
                "this cluster has no "
                        + String.join(", ", unserved)
                        + "; \"kubectl apply -k deploy\" installs what is of lvms");
        return List.copyOf(all);
    }

    /** The kinds of which nothing is known. */
    Set<ResourceType> unread() {
        return Set.copyOf(unread);
    }

    List<KubeObject> list(ResourceType type, ListOptions options)
            throws ApiException, InterruptedException {
        try {
            return kube.list(type, options).items();
        } catch (ApiException.Forbidden e) {
            gaps.add(e.getMessage());
            unread.add(type);
            return List.of();
        } catch (ApiException.Misdirected e) {
            unserved.add(type.qualifiedPlural());
            unread.add(type);
            return List.of();
        }
    }

    /** Notes the first of several kinds as missing, if none of them is served. */
    void requireAny(List<ResourceType> types) throws ApiException, InterruptedException {
        for (var type : types) {
            if (kube.serves(type)) {
                return;
            }
        }
        unserved.add(types.getFirst().qualifiedPlural());
        unread.add(types.getFirst());
    }

    boolean serves(ResourceType type) throws ApiException, InterruptedException {
        return kube.serves(type);
    }

    void gap(String line) {
        gaps.add(line);
    }

    /** Lists a kind that a cluster need not have. */
    List<KubeObject> listIfServed(ResourceType type) throws ApiException, InterruptedException {
        return listIfServed(type, ListOptions.all());
    }

    private List<KubeObject> listIfServed(ResourceType type, ListOptions options)
            throws ApiException, InterruptedException {
        return kube.serves(type) ? list(type, options) : List.of();
    }

    /** Lists our own kind; an object that the schema does not allow is a gap. */
    <T> List<T> list(ResourceType type, ListOptions options, Function<KubeObject, T> read)
            throws ApiException, InterruptedException {
        return read(type, list(type, options), read);
    }

    /** Lists our own kind, which a cluster need not have. */
    <T> List<T> listIfServed(ResourceType type, ListOptions options, Function<KubeObject, T> read)
            throws ApiException, InterruptedException {
        return read(type, listIfServed(type, options), read);
    }

    private <T> List<T> read(
            ResourceType type, List<KubeObject> objects, Function<KubeObject, T> read) {
        var known = new ArrayList<T>();
        for (var object : objects) {
            try {
                known.add(read.apply(object));
            } catch (IllegalArgumentException e) {
                gaps.add(type.kind() + " " + object.key() + " cannot be read: " + e.getMessage());
            }
        }
        return known;
    }
}
