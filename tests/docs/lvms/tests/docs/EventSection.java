package lvms.tests.docs;

import lvms.k8s.event.EventRecorder;
import lvms.k8s.event.Reason;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Every Event, from the enums of the product that list their reasons. */
final class EventSection {
    private static final Path CLASSES = Path.of("out/classes");

    private EventSection() {}

    static String text() throws IOException {
        var table = new Table("reason", "type", "about", "reporter", "when");
        for (var reason : reasons()) {
            table.row(
                    Table.code(reason.text()),
                    reason.type() == EventRecorder.Type.WARNING ? "Warning" : "Normal",
                    reason.regarding(),
                    Table.code(reason.reporter()),
                    reason.meaning());
        }
        return "## Events\n\n"
                + "A series of equal events is one Event with a count; another note is another"
                + " Event.\n\n"
                + table;
    }

    /** An enum that a module gains is found, since all classes of the product are looked at. */
    private static List<Reason> reasons() throws IOException {
        try (var files = Files.walk(CLASSES)) {
            return files.filter(file -> file.toString().endsWith("Reason.class"))
                    .sorted()
                    .map(EventSection::type)
                    .filter(type -> type.isEnum() && Reason.class.isAssignableFrom(type))
                    .flatMap(type -> Arrays.stream(type.getEnumConstants()))
                    .map(Reason.class::cast)
                    .toList();
        }
    }

    private static Class<?> type(Path file) {
        var inModule = CLASSES.relativize(file);
        var name = inModule.subpath(1, inModule.getNameCount()).toString();
        try {
            return Class.forName(name.replace(".class", "").replace('/', '.'));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("not on the class path: " + file, e);
        }
    }
}
