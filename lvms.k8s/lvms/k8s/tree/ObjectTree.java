package lvms.k8s.tree;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * An object: named values in the order they were written.
 *
 * <p>A path names members from here down; it does not enter lists. A value that is absent, null, or
 * of another type than the one asked for reads as absent.
 */
public final class ObjectTree implements Tree {
    /** The object without members. */
    public static final ObjectTree EMPTY = new ObjectTree(Shape.EMPTY, new Tree[0]);

    private final Shape shape;
    private final Tree[] values;

    /** Takes over the values, which nobody changes any more. */
    ObjectTree(Shape shape, Tree[] values) {
        this.shape = shape;
        this.values = values;
    }

    /** Returns an object with these texts, in the order of the map. */
    public static ObjectTree ofTexts(Map<String, String> texts) {
        var builder = builder();
        texts.forEach(builder::put);
        return builder.build();
    }

    public static Builder builder() {
        return new Builder(EMPTY);
    }

    /** Returns a builder that has the members of this object. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Returns how many members there are. */
    public int size() {
        return values.length;
    }

    /** Returns whether there are none. */
    public boolean isEmpty() {
        return values.length == 0;
    }

    /** Returns whether there is a member of this name, even if it is null. */
    public boolean has(String name) {
        return shape.position(name) >= 0;
    }

    /** Returns the members in their order, a view. */
    public Map<String, Tree> members() {
        return new Members();
    }

    /** Returns the value at the path; {@link Tree#NULL} also if it is absent. */
    public Tree at(String... path) {
        Tree node = this;
        for (var name : path) {
            if (!(node instanceof ObjectTree object)) {
                return NULL;
            }
            int position = object.shape.position(name);
            node = position < 0 ? NULL : object.values[position];
        }
        return node;
    }

    public Optional<String> text(String... path) {
        return at(path).text();
    }

    /** Returns the integer at the path. */
    public OptionalLong number(String... path) {
        return at(path).number();
    }

    public Optional<Boolean> flag(String... path) {
        return at(path).flag();
    }

    public Optional<ObjectTree> object(String... path) {
        return at(path) instanceof ObjectTree object ? Optional.of(object) : Optional.empty();
    }

    /** Returns the list at the path; an empty one if there is none. */
    public ListTree list(String... path) {
        return at(path) instanceof ListTree list ? list : ListTree.EMPTY;
    }

    /** Returns those elements of the list at the path that are objects. */
    public List<ObjectTree> objects(String... path) {
        return list(path).objects();
    }

    /** Returns those elements of the list at the path that are texts. */
    public List<String> texts(String... path) {
        return list(path).texts();
    }

    /** Returns those members of the object at the path that are texts, in their order. */
    public Map<String, String> textMap(String... path) {
        if (!(at(path) instanceof ObjectTree object)) {
            return Map.of();
        }
        var map = LinkedHashMap.<String, String>newLinkedHashMap(object.size());
        for (int i = 0; i < object.values.length; i++) {
            if (object.values[i] instanceof TextTree text) {
                map.put(object.shape.name(i), text.value());
            }
        }
        return Collections.unmodifiableMap(map);
    }

    /** Returns an object with the value at the path; missing parents are made. */
    public ObjectTree with(Tree value, String... path) {
        return replaced(value, path, 0);
    }

    private ObjectTree replaced(Tree value, String[] path, int depth) {
        var name = path[depth];
        if (depth == path.length - 1) {
            return toBuilder().put(name, value).build();
        }
        var child = at(name) instanceof ObjectTree object ? object : EMPTY;
        return toBuilder().put(name, child.replaced(value, path, depth + 1)).build();
    }

    /** Returns an object without the member at the path; this object if there is none. */
    public ObjectTree without(String... path) {
        var parent = at(Arrays.copyOf(path, path.length - 1));
        var last = path[path.length - 1];
        if (!(parent instanceof ObjectTree object) || !object.has(last)) {
            return this;
        }
        var rest = object.toBuilder().remove(last).build();
        return path.length == 1 ? rest : with(rest, Arrays.copyOf(path, path.length - 1));
    }

    /** Returns whether it has this shape and these values, by identity. */
    boolean isOf(Shape other, Tree[] others, int from, int to) {
        if (shape != other || values.length != to - from) {
            return false;
        }
        for (int i = 0; i < values.length; i++) {
            if (values[i] != others[from + i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public ObjectTree asObject() {
        return this;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ObjectTree o) || o.values.length != values.length) {
            return false;
        }
        if (o == this) {
            return true;
        }
        if (o.shape == shape) {
            return Arrays.equals(values, o.values);
        }
        return IntStream.range(0, values.length)
                .allMatch(i -> o.has(shape.name(i)) && o.at(shape.name(i)).equals(values[i]));
    }

    @Override
    public int hashCode() {
        int hash = 0; // the order of members does not count
        for (int i = 0; i < values.length; i++) {
            hash += shape.name(i).hashCode() ^ values[i].hashCode();
        }
        return hash;
    }

    /** Returns compact JSON text. */
    @Override
    public String toString() {
        return Json.write(this);
    }

    private final class Members extends AbstractMap<String, Tree> {
        @Override
        public Tree get(Object name) {
            int position = shape.position((String) name);
            return position < 0 ? null : values[position];
        }

        @Override
        public boolean containsKey(Object name) {
            return shape.position((String) name) >= 0;
        }

        @Override
        public Set<Entry<String, Tree>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public Iterator<Entry<String, Tree>> iterator() {
                    return IntStream.range(0, values.length)
                            .mapToObj(i -> Map.entry(shape.name(i), values[i]))
                            .iterator();
                }

                @Override
                public int size() {
                    return values.length;
                }
            };
        }
    }

    /** Collects members; one thread. If a name occurs twice, the first place and last value win. */
    public static final class Builder {
        private static final int MANY = 16; // from this size on, lookups use a hash map

        private String[] names;
        private Tree[] values;
        private int size;
        private Map<String, Integer> positions; // if many

        private Builder(ObjectTree object) {
            size = object.values.length;
            names = object.shape.names(Math.max(4, size + 1));
            values = Arrays.copyOf(object.values, names.length);
        }

        /** Sets a member. */
        public Builder put(String name, Tree value) {
            int position = position(name);
            if (position >= 0) {
                values[position] = value;
                return this;
            }
            if (size == names.length) {
                names = Arrays.copyOf(names, size * 2);
                values = Arrays.copyOf(values, size * 2);
            }
            if (positions != null) {
                positions.put(name, size);
            }
            names[size] = name;
            values[size++] = value;
            return this;
        }

        /** Sets a member to a text. */
        public Builder put(String name, String text) {
            return put(name, Tree.of(text));
        }

        /** Sets a member to an integer. */
        public Builder put(String name, long number) {
            return put(name, Tree.of(number));
        }

        /** Sets a member to a number. */
        public Builder put(String name, double number) {
            return put(name, Tree.of(number));
        }

        /** Sets a member to a flag. */
        public Builder put(String name, boolean flag) {
            return put(name, Tree.of(flag));
        }

        /** Removes a member if there is one. */
        public Builder remove(String name) {
            int position = position(name);
            if (position >= 0) {
                System.arraycopy(names, position + 1, names, position, size - position - 1);
                System.arraycopy(values, position + 1, values, position, size - position - 1);
                size--;
                positions = null;
            }
            return this;
        }

        private int position(String name) {
            if (size > MANY) {
                return positions().getOrDefault(name, -1);
            }
            for (int i = 0; i < size; i++) {
                if (names[i].equals(name)) {
                    return i;
                }
            }
            return -1;
        }

        private Map<String, Integer> positions() {
            if (positions == null) {
                positions = HashMap.newHashMap(size * 2);
                for (int i = 0; i < size; i++) {
                    positions.put(names[i], i);
                }
            }
            return positions;
        }

        /** Returns whether there is a member of this name, even if it is null. */
        public boolean has(String name) {
            return position(name) >= 0;
        }

        /** Returns whether there is no member yet. */
        public boolean isEmpty() {
            return size == 0;
        }

        /** Returns the object so far. */
        public ObjectTree build() {
            return size == 0
                    ? EMPTY
                    : new ObjectTree(Shape.of(names, size), Arrays.copyOf(values, size));
        }
    }
}
