package lvms.operator.topolvm;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.operator.uninstall.Item;
import lvms.operator.uninstall.Reads;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The release of Helm in a namespace that TopoLVM belongs to. Helm keeps each revision in a Secret,
 * whose labels say what it is.
 */
public record HelmRelease(Reads reads, String namespace) {
    /** The annotations by which Helm knows what belongs to a release. */
    public static final String NAME = "meta.helm.sh/release-name";

    public static final String NAMESPACE = "meta.helm.sh/release-namespace";

    /** Returns the Secret of the last revision of the release that has TopoLVM's programs. */
    public List<Item> current() throws ApiException, InterruptedException {
        var names =
                new TopolvmPrograms(reads)
                        .in(namespace).stream()
                                .map(item -> name(item.object()))
                                .flatMap(Optional::stream)
                                .distinct()
                                .toList();
        return reads
                .list(Types.SECRET, ListOptions.all().namespace(namespace).labels("owner=helm"))
                .stream()
                .filter(item -> item.object().label("name").filter(names::contains).isPresent())
                .max(Comparator.comparingLong(HelmRelease::revision))
                .stream()
                .toList();
    }

    /** Returns the release that an object belongs to; the annotation is Helm's own. */
    public static Optional<String> name(KubeObject object) {
        return object.annotation(NAME);
    }

    public static boolean isOfHelm(KubeObject object) {
        return object.label("app.kubernetes.io/managed-by").filter("Helm"::equals).isPresent();
    }

    private static long revision(Item item) {
        return item.object()
                .label("version")
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(Long::parseLong)
                .orElse(0L);
    }
}
