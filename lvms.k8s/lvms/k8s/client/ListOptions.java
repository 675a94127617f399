package lvms.k8s.client;

import lvms.k8s.object.FieldSelector;
import lvms.k8s.object.LabelSelector;
import lvms.k8s.tree.Omission;

/**
 * Which objects a list or watch covers.
 *
 * @param namespace one namespace, empty for all
 * @param labelSelector text of a label selector, empty for all
 * @param fieldSelector text of a field selector, empty for all
 * @param pageSize objects per page, 0 to ask for all at once
 * @param resourceVersion the list may be as old as this version, empty for the newest state, {@code
 *     0} for whatever the server has at hand; a watch does not look at it
 * @param metadataOnly whether the server leaves out all but the metadata of the objects
 * @param managedFields whether the objects keep {@code metadata.managedFields}
 */
public record ListOptions(
        String namespace,
        String labelSelector,
        String fieldSelector,
        int pageSize,
        String resourceVersion,
        boolean metadataOnly,
        boolean managedFields) {
    private static final int PAGE = 500; // as kubectl and client-go's pager

    /** Objects are at level 1 of the events of a watch, as of the items of a list. */
    private static final Omission MANAGED_FIELDS = new Omission(2, "metadata", "managedFields");

    /** Returns options that cover everything. */
    public static ListOptions all() {
        return new ListOptions("", "", "", PAGE, "", false, true);
    }

    /** Returns options restricted to a namespace. */
    public ListOptions namespace(String namespace) {
        return new ListOptions(
                namespace,
                labelSelector,
                fieldSelector,
                pageSize,
                resourceVersion,
                metadataOnly,
                managedFields);
    }

    /** Returns options restricted by label selector text. */
    public ListOptions labels(String selector) {
        return new ListOptions(
                namespace,
                selector,
                fieldSelector,
                pageSize,
                resourceVersion,
                metadataOnly,
                managedFields);
    }

    /** Returns options restricted by a label selector. */
    public ListOptions labels(LabelSelector selector) {
        return labels(selector.toString());
    }

    /** Returns options restricted by field selector text, with values escaped. */
    public ListOptions fields(String selector) {
        return new ListOptions(
                namespace,
                labelSelector,
                selector,
                pageSize,
                resourceVersion,
                metadataOnly,
                managedFields);
    }

    /** Returns options restricted by a field selector. */
    public ListOptions fields(FieldSelector selector) {
        return fields(selector.toString());
    }

    /** Returns options with another page size; 0 asks for all objects at once. */
    public ListOptions pageSize(int pageSize) {
        return new ListOptions(
                namespace,
                labelSelector,
                fieldSelector,
                pageSize,
                resourceVersion,
                metadataOnly,
                managedFields);
    }

    /**
     * Returns options of a list that is at least as new as a version, which the server's cache can
     * answer.
     *
     * @param version {@code 0} for any, even one from before an earlier answer
     */
    public ListOptions atLeast(String version) {
        return new ListOptions(
                namespace,
                labelSelector,
                fieldSelector,
                pageSize,
                version,
                metadataOnly,
                managedFields);
    }

    /**
     * Returns options for metadata alone ({@code PartialObjectMetadata}): names, labels,
     * annotations, owners and finalizers without spec and status. The objects keep the kind of
     * their type. It costs the server and the network much less where objects are large.
     */
    public ListOptions onlyMetadata() {
        return new ListOptions(
                namespace,
                labelSelector,
                fieldSelector,
                pageSize,
                resourceVersion,
                true,
                managedFields);
    }

    /**
     * Returns options for objects without {@code metadata.managedFields}, which the server sends
     * all the same: half of many objects, which is passed over as they are read.
     */
    public ListOptions withoutManagedFields() {
        return new ListOptions(
                namespace,
                labelSelector,
                fieldSelector,
                pageSize,
                resourceVersion,
                metadataOnly,
                false);
    }

    /** Returns what is not read of the objects. */
    Omission omission() {
        return managedFields ? Omission.NOTHING : MANAGED_FIELDS;
    }
}
