package lvms.k8s.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Values in order; immutable, like every {@link Tree}. */
public final class ListTree implements Tree, Iterable<Tree> {
    /** The list without elements. */
    public static final ListTree EMPTY = new ListTree(List.of());

    private final List<Tree> elements;

    private ListTree(List<Tree> elements) {
        this.elements = elements;
    }

    /** Returns a list of these. */
    public static ListTree of(Tree... elements) {
        return of(Arrays.asList(elements));
    }

    /** Returns a list of these. */
    public static ListTree of(Collection<? extends Tree> elements) {
        return elements.isEmpty() ? EMPTY : new ListTree(List.copyOf(elements));
    }

    public static ListTree ofTexts(Collection<String> texts) {
        return of(texts.stream().map(Tree::of).toList());
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Returns how many elements there are. */
    public int size() {
        return elements.size();
    }

    /** Returns whether there are none. */
    public boolean isEmpty() {
        return elements.isEmpty();
    }

    /** Returns one element. */
    public Tree at(int index) {
        return elements.get(index);
    }

    public List<Tree> elements() {
        return elements;
    }

    /** Returns a stream of the elements. */
    public Stream<Tree> stream() {
        return elements.stream();
    }

    /** Returns the elements that are objects. */
    public List<ObjectTree> objects() {
        return elements.stream()
                .filter(ObjectTree.class::isInstance)
                .map(ObjectTree.class::cast)
                .toList();
    }

    /** Returns the elements that are texts. */
    public List<String> texts() {
        return elements.stream().flatMap(element -> element.text().stream()).toList();
    }

    @Override
    public Iterator<Tree> iterator() {
        return elements.iterator();
    }

    @Override
    public ListTree asList() {
        return this;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ListTree o && elements.equals(o.elements);
    }

    @Override
    public int hashCode() {
        return elements.hashCode();
    }

    /** Returns compact JSON text. */
    @Override
    public String toString() {
        return Json.write(this);
    }

    /** Collects elements; one thread. */
    public static final class Builder {
        private final List<Tree> elements = new ArrayList<>();

        private Builder() {}

        public Builder add(Tree element) {
            elements.add(element);
            return this;
        }

        public Builder add(String text) {
            return add(Tree.of(text));
        }

        /** Returns the list so far. */
        public ListTree build() {
            return of(elements);
        }
    }
}
