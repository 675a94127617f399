package lvms.k8s.client;

import lvms.k8s.object.FieldSelector;
import lvms.k8s.object.LabelSelector;

/**
 * Which objects a list or watch covers.
 *
 * @param namespace one namespace, empty for all
 * @param labelSelector text of a label selector, empty for all
 * @param fieldSelector text of a field selector, empty for all
 * @param pageSize objects per page, 0 to ask for all at once
 */
public record ListOptions(
        String namespace, String labelSelector, String fieldSelector, int pageSize) {
    private static final int PAGE = 500; // as kubectl and client-go's pager

    /** Returns options that cover everything. */
    public static ListOptions all() {
        return new ListOptions("", "", "", PAGE);
    }

    /** Returns options restricted to a namespace. */
    public ListOptions namespace(String namespace) {
        return new ListOptions(namespace, labelSelector, fieldSelector, pageSize);
    }

    /** Returns options restricted by label selector text. */
    public ListOptions labels(String selector) {
        return new ListOptions(namespace, selector, fieldSelector, pageSize);
    }

    /** Returns options restricted by a label selector. */
    public ListOptions labels(LabelSelector selector) {
        return labels(selector.toString());
    }

    /** Returns options restricted by field selector text, with values escaped. */
    public ListOptions fields(String selector) {
        return new ListOptions(namespace, labelSelector, selector, pageSize);
    }

    /** Returns options restricted by a field selector. */
    public ListOptions fields(FieldSelector selector) {
        return fields(selector.toString());
    }

    /** Returns options with another page size; 0 asks for all objects at once. */
    public ListOptions pageSize(int pageSize) {
        return new ListOptions(namespace, labelSelector, fieldSelector, pageSize);
    }
}
