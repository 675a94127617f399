package lvms.k8s.client;

import lvms.k8s.object.KubeObject;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.UnaryOperator;

/**
 * A collection page by page, all as of one point in time, so that no more than a page is held. One
 * thread. From {@link KubeClient#pages}.
 *
 * {@snippet :
 * var pages = kube.pages(Types.POD, ListOptions.all().pageSize(100));
 * while (pages.hasNext()) {
 *     for (var pod : pages.next()) {
 *         System.out.println(pod.key());
 *     }
 * }
 * }
 */
public final class Pages {
    private final Selection selection;
    private final ListReader reader;
    private String continueToken = "";
    private String resourceVersion = "";
    private boolean begun;

    Pages(Selection selection, UnaryOperator<KubeObject> trim) {
        this.selection = selection;
        this.reader = selection.reader(trim);
    }

    /** Returns whether there is another page; true before the first, which may be empty. */
    public boolean hasNext() {
        return !begun || !continueToken.isEmpty();
    }

    /**
     * Reads the next page. After a failure it can be called again for the same page.
     *
     * @throws ApiException.Gone if more time passed since the first page than the server keeps
     *     history, about five minutes: only reading all of it again helps
     */
    public List<KubeObject> next() throws ApiException, InterruptedException {
        if (!hasNext()) {
            throw new NoSuchElementException("the last page was read");
        }
        var page = selection.page(continueToken, reader);
        if (!begun) {
            resourceVersion = page.resourceVersion();
        }
        begun = true;
        continueToken = page.continueToken();
        return List.copyOf(page.items());
    }

    /** Returns whether no page was read yet. */
    boolean atStart() {
        return !begun;
    }

    /** Returns the version that all pages are of, empty before the first was read. */
    public String resourceVersion() {
        return resourceVersion;
    }
}
