package lvms.node.volume;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The LogicalVolume objects of this node, followed by one watch. Any thread may read. */
public final class NodeVolumes {
    private static final Logger LOG = System.getLogger(NodeVolumes.class.getName());
    static final String BY_VOLUME = "volume";
    static final String BY_UID = "uid";
    private static final String BY_SOURCE = "source";

    private final KubeClient kube;
    private final ResourceType type;
    private final Informer informer;

    private NodeVolumes(KubeClient kube, ResourceType type, Informer informer) {
        this.kube = kube;
        this.type = type;
        this.informer = informer;
    }

    /**
     * Prepares the watch; it asks the server once whether it can select by node. A server that
     * cannot select sends all objects; only the names of other nodes' objects are kept.
     */
    static NodeVolumes of(KubeClient kube, Driver driver, String node)
            throws ApiException, InterruptedException {
        var type = driver.logicalVolumes();
        var selector = "spec.nodeName=" + node;
        var builder =
                Informer.of(kube, type)
                        .plainLists()
                        .index(BY_VOLUME, NodeVolumes::volumeId)
                        .index(BY_UID, object -> List.of(object.uid()))
                        .index(BY_SOURCE, NodeVolumes::source);
        if (selectable(kube, type, selector)) {
            return new NodeVolumes(kube, type, builder.fieldSelector(selector).build());
        }
        LOG.log(
                Level.INFO,
                () ->
                        "the API server cannot select LogicalVolumes by spec.nodeName; the agent"
                                + " filters them itself node="
                                + node);
        return new NodeVolumes(
                kube, type, builder.transform(object -> ownOrStub(type, object, node)).build());
    }

    private static boolean selectable(KubeClient kube, ResourceType type, String selector)
            throws ApiException, InterruptedException {
        try {
            kube.pages(type, ListOptions.all().fields(selector).pageSize(1)).next();
            return true;
        } catch (ApiException.BadRequest e) {
            LOG.log(Level.DEBUG, () -> "field selector refused: " + e.getMessage());
            return false;
        }
    }

    static KubeObject ownOrStub(ResourceType type, KubeObject object, String node) {
        boolean own = object.text("spec", "nodeName").filter(node::equals).isPresent();
        return own
                ? object
                : KubeObject.create(type, object.key())
                        .with(object.resourceVersion(), "metadata", "resourceVersion")
                        .with(object.uid(), "metadata", "uid");
    }

    private static List<String> volumeId(KubeObject object) {
        return object.text("status", "volumeID").filter(id -> !id.isEmpty()).stream().toList();
    }

    private static List<String> source(KubeObject object) {
        return object.text("spec", "source").filter(name -> !name.isEmpty()).stream().toList();
    }

    /** Returns the snapshots, restores and clones of the object of this name. */
    List<LogicalVolume> copiesOf(String name) {
        return informer.byIndex(BY_SOURCE, name).stream().map(LogicalVolume::tolerant).toList();
    }

    Informer informer() {
        return informer;
    }

    /** Returns whether all objects that were there at the start are known. */
    public boolean synced() {
        return informer.following();
    }

    /** Returns why the objects cannot be followed at the moment. */
    public Optional<String> problem() {
        return informer.problem();
    }

    /**
     * Finds the object of a CSI volume id. The caller may have seen the new status before our
     * informer has; so an object that has this UID but no status yet is read from the server.
     */
    public Optional<LogicalVolume> find(String id) throws ApiException, InterruptedException {
        var found = byVolumeId(id);
        if (found.isPresent()) {
            return found;
        }
        for (var unfinished : informer.byIndex(BY_UID, id)) {
            kube.find(type, unfinished.key()).ifPresent(informer::observed);
        }
        return byVolumeId(id);
    }

    /** Returns all objects of this node. */
    List<LogicalVolume> all() {
        return informer.list().stream()
                .filter(object -> object.object("spec").isPresent()) // a stub is another node's
                .map(LogicalVolume::tolerant)
                .toList();
    }

    /** Returns the objects whose volume has, or is about to get, this name in LVM. */
    List<ObjectKey> named(String lv) {
        return Stream.concat(
                        informer.byIndex(BY_UID, lv).stream(),
                        informer.byIndex(BY_VOLUME, lv).stream())
                .map(KubeObject::key)
                .distinct()
                .toList();
    }

    /** Returns the name of another object than this that has a volume. */
    Optional<String> holder(LogicalVolume object, String lv) {
        return Stream.concat(
                        informer.byIndex(BY_UID, lv).stream(),
                        informer.byIndex(BY_VOLUME, lv).stream())
                .filter(other -> !other.uid().equals(object.uid()))
                .map(KubeObject::name)
                .findFirst();
    }

    /** Removes an annotation; refused if somebody changed the object meanwhile. */
    public void removeAnnotation(LogicalVolume volume, String key)
            throws ApiException, InterruptedException {
        informer.patch(MergePatch.of(volume.object()).ifUnchanged().withoutAnnotation(key));
    }

    /** Finds the object of a CSI volume id among those that were seen. */
    public Optional<LogicalVolume> byVolumeId(String id) {
        return informer.byIndex(BY_VOLUME, id).stream().findFirst().map(LogicalVolume::of);
    }
}
