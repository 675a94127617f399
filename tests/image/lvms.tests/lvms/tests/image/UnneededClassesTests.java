package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The image is without classes of libraries that nothing of ours leads to ({@code
 * jlink/unneeded.txt}), and has all that something does.
 */
class UnneededClassesTests {
    private static final String CLASS = ".class";

    /** As their makers published them. */
    private static final String LIBRARIES = "{guava,grpc,protobuf-java}-*.jar";

    private static final Pattern IN_DESCRIPTOR = Pattern.compile("L([\\w/$]+);");

    private final Map<String, Path> classes = new HashMap<>();
    private final Set<String> published = new HashSet<>();
    private FileSystem image;

    @BeforeEach
    void open() throws Exception {
        var folder = Path.of(System.getProperty("lvms.image")).toAbsolutePath();
        image = FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", "" + folder));
        try (var files = Files.walk(image.getPath("/modules"))) {
            files.filter(file -> file.toString().endsWith(CLASS))
                    .forEach(file -> classes.put(name(file), file));
        }
        try (var jars = Files.newDirectoryStream(Path.of("out/deps"), LIBRARIES)) {
            for (var jar : jars) {
                read(jar);
            }
        }
    }

    private void read(Path jar) throws IOException {
        try (var file = new JarFile(jar.toFile())) {
            file.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.endsWith(CLASS))
                    .forEach(name -> published.add(withoutEnd(name)));
        }
    }

    @AfterEach
    void close() throws Exception {
        image.close();
    }

    /** The name behind {@code /modules/MODULE/}. */
    private static String name(Path file) {
        return withoutEnd(file.subpath(2, file.getNameCount()).toString());
    }

    private static String withoutEnd(String name) {
        return name.substring(0, name.length() - CLASS.length());
    }

    private ClassModel read(String name) {
        try {
            return ClassFile.of().parse(Files.readAllBytes(classes.get(name)));
        } catch (IOException e) {
            throw new AssertionError(name, e);
        }
    }

    /** All that a class names, be it as a class, in a descriptor or as the text for a search. */
    private static Stream<String> named(ClassModel model) {
        var found = Stream.<String>builder();
        for (var entry : model.constantPool()) {
            if (entry instanceof Utf8Entry text) {
                found.add(text.stringValue().replace('.', '/'));
                IN_DESCRIPTOR
                        .matcher(text.stringValue())
                        .results()
                        .forEach(match -> found.add(match.group(1)));
            }
        }
        return found.build();
    }

    @Test
    void nothingOfOursLeadsToAClassThatWasLeftOut() {
        var reached = new HashSet<String>();
        var left = new ArrayDeque<String>();
        classes.keySet().stream().filter(name -> name.startsWith("lvms/")).forEach(left::add);
        Set<String> missing = new TreeSet<>();
        while (!left.isEmpty()) {
            var from = left.remove();
            named(read(from))
                    .filter(reached::add)
                    .forEach(
                            name -> {
                                if (classes.containsKey(name)) {
                                    left.add(name);
                                } else if (published.contains(name)) {
                                    missing.add(name + ", by " + from);
                                }
                            });
        }
        assertTrue(reached.contains("io/grpc/netty/shaded/io/grpc/netty/NettyServer"));
        assertEquals(Set.of(), missing);
    }
}
