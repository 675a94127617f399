import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes what belongs to our libraries in a Maven repository: the bill of materials of each jar
 * (CycloneDX 1.6), the POMs and the indexes of versions. What a library needs is what its compiled
 * module descriptor requires. build.sh runs it from source: {@code java build/MavenDocuments.java
 * bills|repository NAME=VALUE... [module]...}. The same words and files give the same bytes.
 */
final class MavenDocuments {
    private static final String GROUP = "lvms";

    /** The first sentence of a module's javadoc. */
    private static final Pattern SENTENCE =
            Pattern.compile("/\\*\\*(.*?[.])(?:\\s|\\*/)", Pattern.DOTALL);

    private final Map<String, String> words;
    private final Map<String, Artifact> others;

    private MavenDocuments(Map<String, String> words) throws IOException {
        this.words = words;
        others =
                Artifact.read(Path.of(words.get("artifacts")), "image").stream()
                        .collect(Collectors.toMap(Artifact::module, Function.identity()));
    }

    public static void main(String[] args) throws IOException {
        var words = new HashMap<String, String>();
        var modules = new ArrayList<String>();
        for (var word : Arrays.asList(args).subList(1, args.length)) {
            var parts = word.split("=", 2);
            if (parts.length == 1) {
                modules.add(word);
            } else {
                words.put(parts[0], parts[1]);
            }
        }
        var documents = new MavenDocuments(words);
        for (var module : modules) {
            switch (args[0]) {
                case "bills" -> documents.writeBill(module);
                case "repository" -> documents.writePages(module);
                default ->
                        throw new IllegalArgumentException("bills or repository, not " + args[0]);
            }
        }
    }

    private Path files(String module) {
        return Path.of(words.get("files"), module);
    }

    private String version() {
        return words.get("version");
    }

    // --- What a library needs.

    /** A library of ours or a jar of others that a module requires. */
    private sealed interface Need {
        record Ours(String module) implements Need {}

        record Others(Artifact artifact) implements Need {}
    }

    /** Returns the modules that are required, those of the JDK left out, in the order of names. */
    private List<Need> needs(String module) throws IOException {
        return descriptor(module).requires().stream()
                .map(ModuleDescriptor.Requires::name)
                .filter(name -> ModuleFinder.ofSystem().find(name).isEmpty())
                .sorted()
                .map(this::need)
                .toList();
    }

    private ModuleDescriptor descriptor(String module) throws IOException {
        try (InputStream in =
                Files.newInputStream(files(module).resolve("classes/module-info.class"))) {
            return ModuleDescriptor.read(in);
        }
    }

    private Need need(String module) {
        if (Files.exists(files(module))) {
            return new Need.Ours(module);
        }
        var artifact = others.get(module);
        if (artifact == null) {
            throw new IllegalArgumentException(module + " is neither a library nor pinned");
        }
        return new Need.Others(artifact);
    }

    // --- The bill of materials.

    private void writeBill(String module) throws IOException {
        var components = new ArrayList<Object>();
        for (var need : needs(module)) {
            components.add(
                    switch (need) {
                        case Need.Ours(var name) -> ours(name);
                        case Need.Others(var artifact) -> Bill.component(artifact);
                    });
        }
        Files.write(
                files(module).resolve("bill.cdx.json"),
                Json.bytes(Bill.of(ours(module), components)));
    }

    private Map<String, Object> ours(String module) {
        var purl = "pkg:maven/%s/%s@%s".formatted(GROUP, module, version());
        var component = Bill.component("library", module, version(), purl);
        component.put("group", GROUP);
        component.put("licenses", Bill.licences(Bill.APACHE));
        return component;
    }

    // --- The repository.

    private void writePages(String module) throws IOException {
        var folder = Path.of(words.get("repository"), GROUP, module);
        Files.writeString(
                folder.resolve(version()).resolve(module + "-" + version() + ".pom"), pom(module));
        Files.writeString(folder.resolve("maven-metadata.xml"), versions(module));
    }

    private String pom(String module) throws IOException {
        var pom = new StringBuilder();
        pom.append(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>%s</groupId>
                  <artifactId>%s</artifactId>
                  <version>%s</version>
                  <name>%2$s</name>
                  <description>%s</description>
                  <licenses>
                    <license>
                      <name>%s</name>
                      <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>
                      <distribution>repo</distribution>
                    </license>
                  </licenses>
                  <dependencies>
                """
                        .formatted(GROUP, module, version(), description(module), Bill.APACHE));
        for (var need : needs(module)) {
            pom.append(
                    switch (need) {
                        case Need.Ours(var name) -> dependency(GROUP, name, version());
                        case Need.Others(var it) -> dependency(it.group(), it.name(), it.version());
                    });
        }
        return pom.append("  </dependencies>\n</project>\n").toString();
    }

    /** The scope is compile: javac looks for every module that a module on its path requires. */
    private static String dependency(String group, String name, String version) {
        return """
            <dependency>
              <groupId>%s</groupId>
              <artifactId>%s</artifactId>
              <version>%s</version>
            </dependency>
        """
                .formatted(group, name, version);
    }

    private String description(String module) throws IOException {
        var source = Files.readString(files(module).resolve("sources/module-info.java"));
        var sentence = SENTENCE.matcher(source);
        if (!sentence.find()) {
            throw new IllegalArgumentException(module + " has no javadoc");
        }
        return sentence.group(1)
                .replaceAll("\\s*\\n \\* ", " ")
                .replaceAll("\\{@\\w+ ([^}]*)}", "$1")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .strip();
    }

    private String versions(String module) {
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <metadata>
          <groupId>%s</groupId>
          <artifactId>%s</artifactId>
          <versioning>
            <latest>%s</latest>
            <release>%3$s</release>
            <versions>
              <version>%3$s</version>
            </versions>
            <lastUpdated>%s</lastUpdated>
          </versioning>
        </metadata>
        """
                .formatted(GROUP, module, version(), words.get("date").replaceAll("\\D", ""));
    }
}
