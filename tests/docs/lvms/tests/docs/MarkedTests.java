package lvms.tests.docs;

import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The tests that an annotation gives numbers, by number. */
final class MarkedTests<A extends Annotation> {
    private final TreeMap<Integer, TreeSet<String>> tests = new TreeMap<>();
    private final Class<A> annotation;
    private final Function<A, int[]> numbers;

    private MarkedTests(Class<A> annotation, Function<A, int[]> numbers) {
        this.annotation = annotation;
        this.numbers = numbers;
    }

    /** Returns the tests of each number, as {@code layer: Class.method}. */
    static <A extends Annotation> TreeMap<Integer, TreeSet<String>> by(
            Class<A> annotation, Function<A, int[]> numbers) throws IOException {
        return by(annotation, numbers, element -> true);
    }

    private static <A extends Annotation> TreeMap<Integer, TreeSet<String>> by(
            Class<A> annotation, Function<A, int[]> numbers, Predicate<AnnotatedElement> counts)
            throws IOException {
        var marked = new MarkedTests<>(annotation, numbers);
        for (var layer : List.of("unit", "integration", "image", "lab", "conformance", "e2e")) {
            for (var type : classes(Path.of("tests", layer))) {
                if (!counts.test(type)) {
                    continue;
                }
                marked.note(type, layer + ": `" + type.getSimpleName() + "`");
                for (var method : methods(type)) {
                    if (counts.test(method)) {
                        var name = type.getSimpleName() + "." + method.getName();
                        marked.note(method, layer + ": `" + name + "`");
                    }
                }
            }
        }
        return marked.tests;
    }

    /** Returns the same without those that run with {@code --full} alone. */
    static <A extends Annotation> TreeMap<Integer, TreeSet<String>> inEachRun(
            Class<A> annotation, Function<A, int[]> numbers) throws IOException {
        return by(annotation, numbers, MarkedTests::isInEachRun);
    }

    private static boolean isInEachRun(AnnotatedElement element) {
        var condition = element.getAnnotation(EnabledIfSystemProperty.class);
        boolean named = condition != null && condition.named().equals("lvms.full");
        return !named && !element.isAnnotationPresent(FullOnly.class);
    }

    /** Returns the methods of a class and of those that it extends. */
    private static List<Method> methods(Class<?> type) {
        return Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .toList();
    }

    private void note(AnnotatedElement element, String name) {
        var mark = element.getAnnotation(annotation);
        if (mark != null) {
            IntStream.of(numbers.apply(mark))
                    .forEach(n -> tests.computeIfAbsent(n, any -> new TreeSet<>()).add(name));
        }
    }

    private static List<Class<?>> classes(Path folder) throws IOException {
        List<Path> files;
        try (var all = Files.walk(folder)) {
            files = all.filter(file -> file.toString().endsWith("Tests.java")).toList();
        }
        var classes = new ArrayList<Class<?>>();
        for (var file : files) {
            // tests/LAYER/MODULE/PACKAGE/Class.java
            var name =
                    folder.relativize(file)
                            .subpath(1, folder.relativize(file).getNameCount())
                            .toString();
            try {
                classes.add(
                        Class.forName(
                                name.replace(".java", "").replace('/', '.'),
                                false,
                                MarkedTests.class.getClassLoader()));
            } catch (ClassNotFoundException e) {
                throw new IOException(
                        file + ": its folder is missing at unit/docs in build/trees", e);
            }
        }
        return classes;
    }
}
