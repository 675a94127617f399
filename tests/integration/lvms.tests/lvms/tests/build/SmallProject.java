package lvms.tests.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Three modules, each above the one before ({@code lvms.low}, {@code lvms.mid}, {@code lvms}), and
 * the unit tests of the one in the middle, in all states that {@link Edit} leads to.
 */
final class SmallProject {
    /** What is edited; each keeps the project such that it compiles. */
    enum Edit {
        BODY,
        PRIVATE_MEMBER,
        SIGNATURE,
        CONSTANT,
        CLASS,
        PACKAGE,
        RESOURCE,
        MODULE,
        PACKAGE_PRIVATE,
        SUPERCLASS
    }

    /** Everything, above first. */
    static final List<String> TREES = List.of("lvms", "unit/lvms.mid");

    private final Random random;
    private int body;
    private int hidden;
    private boolean longer;
    private int constant;
    private boolean extra;
    private String room = "lvms.low.one";
    private int text;
    private boolean exported;
    private int renamed;
    private boolean inherited;

    SmallProject(Random random) {
        this.random = random;
    }

    void edit(Edit edit) {
        switch (edit) {
            case BODY -> body += 1 + random.nextInt(9);
            case PRIVATE_MEMBER -> hidden++;
            case SIGNATURE -> longer = !longer;
            case CONSTANT -> constant += 1 + random.nextInt(9);
            case CLASS -> extra = !extra;
            case PACKAGE -> room = room.endsWith("one") ? "lvms.low.two" : "lvms.low.one";
            case RESOURCE -> text += 1 + random.nextInt(9);
            case MODULE -> exported = !exported;
            case PACKAGE_PRIVATE -> renamed++;
            case SUPERCLASS -> inherited = !inherited;
        }
    }

    /** Writes the sources; all are older than what was ever made of them. */
    void write(Path folder) throws IOException {
        for (var module : List.of("lvms.low", "lvms.mid", "src", "tests")) {
            remove(folder.resolve(module));
        }
        for (var source : sources().entrySet()) {
            var file = folder.resolve(source.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, source.getValue());
            Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
        }
    }

    private static void remove(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var files = Files.walk(folder)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private Map<String, String> sources() {
        var sources = new TreeMap<String, String>();
        sources.put(
                "lvms.low/module-info.java",
                """
                /** The lowest. */
                module lvms.low {
                    exports lvms.low;
                    exports %s;
                    %s
                }
                """
                        .formatted(room, exported ? "exports lvms.low.inner;" : ""));
        sources.put("lvms.low/lvms/low/Low.java", low());
        sources.put("lvms.low/lvms/low/inner/Base.java", base());
        sources.put(
                "lvms.low/" + room.replace('.', '/') + "/Moved.java",
                "package %s; /** Moved. */ public interface Moved { }".formatted(room));
        if (extra) {
            sources.put(
                    "lvms.low/lvms/low/Extra.java",
                    "package lvms.low; /** Extra. */ public interface Extra { }");
        }
        sources.put("lvms.low/lvms/low/text.txt", "text " + text);
        sources.put(
                "lvms.mid/module-info.java",
                """
                /** In the middle. */
                module lvms.mid {
                    requires transitive lvms.low;
                    exports lvms.mid;
                }
                """);
        sources.put("lvms.mid/lvms/mid/Mid.java", mid());
        sources.put(
                "src/module-info.java",
                """
                /** At the top. */
                module lvms {
                    requires lvms.mid;
                }
                """);
        sources.put(
                "src/lvms/top/Top.java",
                """
                package lvms.top;
                /** Top. */
                final class Top {
                    private Top() {}
                    static final int SUM = lvms.low.Low.CONSTANT + 1;
                    static String kind() { return lvms.mid.Mid.kind() + SUM; }
                }
                """);
        sources.put(
                "tests/unit/lvms.mid/lvms/mid/MidTests.java",
                """
                package lvms.mid;
                class MidTests {
                    static final int SUM = Mid.renamed%d() + lvms.low.Low.CONSTANT;
                }
                """
                        .formatted(renamed));
        return sources;
    }

    private String low() {
        return """
        package lvms.low;
        /** Low. */
        @SuppressWarnings("exports")
        public class Low extends lvms.low.inner.Base {
            /** Copied into other classes. */
            public static final int CONSTANT = %d;
            private int hidden%d;
            /** Makes one. */
            public Low() {}
            /** Returns it. */
            public static %s number() { return %d; }
        }
        """
                .formatted(constant, hidden, longer ? "long" : "int", body);
    }

    /** Not exported, but its members are those of a class that is. */
    private String base() {
        var overload = "/** Overloads. */ public String of(int value) { return \"int\"; }";
        return """
        package lvms.low.inner;
        /** Base. */
        public class Base {
            /** Makes one. */
            public Base() {}
            /** Returns it. */
            public String of(Object value) { return "object"; }
            %s
        }
        """
                .formatted(inherited ? overload : "");
    }

    private String mid() {
        return """
        package lvms.mid;
        import lvms.low.Low;
        /** Mid. */
        public final class Mid implements %s.Moved {
            private Mid() {}
            static int renamed%d() { return Low.CONSTANT; }
            /** Returns it. */
            public static String kind() { return new Low().of(1) + Low.number(); }
        }
        """
                .formatted(room, renamed);
    }
}
