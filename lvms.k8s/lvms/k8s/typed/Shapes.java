package lvms.k8s.typed;

import lvms.k8s.object.Quantity;
import lvms.k8s.object.Times;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.NumberTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The shapes of Java types, made once for each record. */
record Shapes(MethodHandles.Lookup lookup) {
    static Shapes of(MethodHandles.Lookup lookup) {
        return new Shapes(lookup);
    }

    private Shape of(Type type) {
        if (type instanceof ParameterizedType generic) {
            return container((Class<?>) generic.getRawType(), generic.getActualTypeArguments());
        }
        if (type instanceof Class<?> plain) {
            return plain(plain);
        }
        throw new IllegalArgumentException("a record with a component of type " + type);
    }

    private Shape container(Class<?> raw, Type[] arguments) {
        if (raw == Optional.class) {
            return new OptionalShape(of(arguments[0]));
        }
        if (raw == List.class) {
            return new ListShape(of(arguments[0]));
        }
        if (raw == Map.class && arguments[0] == String.class) {
            return new MapShape(of(arguments[1]));
        }
        throw new IllegalArgumentException("a record with a component of type " + raw.getName());
    }

    private Shape plain(Class<?> type) {
        if (type.isRecord() && type != Quantity.class) {
            return record(type);
        }
        if (type.isEnum()) {
            return enumeration(type);
        }
        if (Tree.class.isAssignableFrom(type)) {
            return tree(type);
        }
        return switch (type.getName()) {
            case "java.lang.String" ->
                    new Scalar<>("", "text", Tree::text, text -> Tree.of((String) text));
            case "int", "java.lang.Integer" ->
                    new Scalar<>(0, "an integer of 32 bits", Shapes::int32, Shapes::number);
            case "long", "java.lang.Long" ->
                    new Scalar<>(0L, "an integer of 64 bits", Shapes::int64, Shapes::number);
            case "double", "java.lang.Double" ->
                    new Scalar<>(0.0, "a number", Shapes::real, n -> Tree.of((double) n));
            case "boolean", "java.lang.Boolean" ->
                    new Scalar<>(false, "true or false", Tree::flag, f -> Tree.of((boolean) f));
            case "java.time.Instant" ->
                    new Scalar<>(
                            null,
                            "a time",
                            tree -> tree.text().flatMap(Times::read),
                            time -> Tree.of(Times.seconds((Instant) time)));
            case "lvms.k8s.object.Quantity" ->
                    new Scalar<>(
                            Quantity.ZERO,
                            "a quantity",
                            Shapes::quantity,
                            quantity -> Tree.of(quantity.toString()));
            default ->
                    throw new IllegalArgumentException(
                            "a record with a component of type " + type.getName());
        };
    }

    private static Optional<Integer> int32(Tree tree) {
        return int64(tree).filter(n -> n.intValue() == n).map(Long::intValue);
    }

    private static Optional<Long> int64(Tree tree) {
        var number = tree.number();
        return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
    }

    private static Optional<Double> real(Tree tree) {
        return tree instanceof NumberTree number
                ? Optional.of(number.exact().doubleValue())
                : Optional.empty();
    }

    private static Tree number(Object value) {
        return Tree.of(((Number) value).longValue());
    }

    /** JSON numbers are quantities, too. */
    private static Optional<Quantity> quantity(Tree tree) {
        try {
            return Optional.of(Quantity.parse(tree));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Shape enumeration(Class<?> type) {
        var values = List.of(type.getEnumConstants());
        return new Scalar<>(
                null,
                "one of " + values,
                tree ->
                        tree.text()
                                .flatMap(
                                        text ->
                                                values.stream()
                                                        .filter(v -> v.toString().equals(text))
                                                        .findFirst()),
                value -> Tree.of(value.toString()));
    }

    private static Shape tree(Class<?> type) {
        var nothing =
                type == ObjectTree.class
                        ? ObjectTree.EMPTY
                        : type == ListTree.class ? ListTree.EMPTY : Tree.NULL;
        return new Scalar<>(
                type.isInstance(nothing) ? nothing : null,
                type.getSimpleName(),
                tree -> Optional.of(tree).filter(type::isInstance),
                tree -> (Tree) tree);
    }

    Shape record(Class<?> type) {
        var components = type.getRecordComponents();
        try {
            var types = Arrays.stream(components).map(RecordComponent::getType);
            var parameters = types.toArray(Class<?>[]::new);
            var maker = lookup.findConstructor(type, MethodType.methodType(void.class, parameters));
            var fields = new ArrayList<Field>();
            for (var component : components) {
                var name = component.getAnnotation(Member.class);
                fields.add(
                        new Field(
                                name == null ? component.getName() : name.value(),
                                lookup.unreflect(component.getAccessor()),
                                of(component.getGenericType())));
            }
            return new RecordShape(type.getSimpleName(), maker, fields);
        } catch (IllegalAccessException | NoSuchMethodException e) {
            throw new IllegalArgumentException("no access to record " + type.getName(), e);
        }
    }

    private static JsonException expected(String what, String path) {
        return new JsonException((path.isEmpty() ? "" : path + ": ") + "expected " + what);
    }

    private static String below(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** A component of a record. */
    private record Field(String name, MethodHandle accessor, Shape shape) {}

    private record RecordShape(String name, MethodHandle maker, List<Field> fields)
            implements Shape {
        @Override
        public Object read(Tree tree, String path) {
            if (!tree.isNull() && !(tree instanceof ObjectTree)) {
                throw expected("a mapping", path);
            }
            var object = tree instanceof ObjectTree given ? given : ObjectTree.EMPTY;
            var values = new ArrayList<Object>();
            for (var field : fields) {
                values.add(field.shape.read(object.at(field.name), below(path, field.name)));
            }
            return called(() -> maker.invokeWithArguments(values));
        }

        @Override
        public Optional<Tree> write(Object value) {
            var tree = ObjectTree.builder();
            for (var field : fields) {
                var part = called(() -> field.accessor.invoke(value));
                if (part != null) {
                    field.shape.write(part).ifPresent(written -> tree.put(field.name, written));
                }
            }
            return Optional.of(tree.build());
        }

        private interface Call {
            Object make() throws Throwable;
        }

        /** A record's own checks may fail; they throw nothing that is checked. */
        private Object called(Call call) {
            try {
                return call.make();
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("record " + name, e);
            }
        }
    }

    /**
     * A value without parts.
     *
     * @param absent what an absent field reads as; null if there is nothing that it could be
     */
    private record Scalar<T>(
            T absent,
            String what,
            Function<Tree, Optional<T>> reader,
            Function<Object, Tree> writer)
            implements Shape {
        @Override
        public Object read(Tree tree, String path) {
            return tree.isNull() && absent != null
                    ? absent
                    : reader.apply(tree).orElseThrow(() -> expected(what, path));
        }

        @Override
        public Optional<Tree> write(Object value) {
            return Optional.of(value).filter(v -> !v.equals("")).map(writer);
        }
    }

    private record OptionalShape(Shape inner) implements Shape {
        @Override
        public Object read(Tree tree, String path) {
            return tree.isNull() ? Optional.empty() : Optional.of(inner.read(tree, path));
        }

        @Override
        public Optional<Tree> write(Object value) {
            return ((Optional<?>) value).flatMap(inner::write);
        }
    }

    private record ListShape(Shape inner) implements Shape {
        @Override
        public Object read(Tree tree, String path) {
            if (tree.isNull()) {
                return List.of();
            }
            if (!(tree instanceof ListTree list)) {
                throw expected("a list", path);
            }
            var values = new ArrayList<Object>();
            for (var element : list) {
                values.add(inner.read(element, path + "[" + values.size() + "]"));
            }
            return List.copyOf(values);
        }

        @Override
        public Optional<Tree> write(Object value) {
            var elements = new ArrayList<Tree>();
            for (var element : (List<?>) value) {
                elements.add(inner.write(element).orElseGet(() -> Tree.of("")));
            }
            return Optional.<Tree>of(ListTree.of(elements)).filter(_ -> !elements.isEmpty());
        }
    }

    private record MapShape(Shape inner) implements Shape {
        @Override
        public Object read(Tree tree, String path) {
            if (tree.isNull()) {
                return Map.of();
            }
            if (!(tree instanceof ObjectTree object)) {
                throw expected("a mapping", path);
            }
            var values = new LinkedHashMap<String, Object>();
            object.members()
                    .forEach(
                            (name, member) ->
                                    values.put(name, inner.read(member, below(path, name))));
            return Collections.unmodifiableMap(values);
        }

        @Override
        public Optional<Tree> write(Object value) {
            var tree = ObjectTree.builder();
            ((Map<?, ?>) value)
                    .forEach(
                            (name, member) ->
                                    tree.put(
                                            (String) name,
                                            inner.write(member).orElseGet(() -> Tree.of(""))));
            return tree.isEmpty() ? Optional.empty() : Optional.of(tree.build());
        }
    }
}
