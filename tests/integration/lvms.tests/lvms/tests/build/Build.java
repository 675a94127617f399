package lvms.tests.build;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A folder that is compiled by the functions of {@code build/compile.sh}.
 *
 * @param folder with sources in {@code lvms.*}, {@code src} and {@code tests}
 * @param script what a shell in that folder does; its arguments are the trees to compile
 */
record Build(Path folder, String script) {
    /** How a run ended: status 0 and the trees that were compiled, or what it printed. */
    record Result(int status, Set<String> compiled, String output) {}

    /** Compiles the trees and all that they need. */
    Result compile(List<String> trees) throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("bash", "-c", script, "compile"));
        words.addAll(trees);
        var process =
                new ProcessBuilder(words)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        var compiled = new TreeSet<String>();
        output.lines()
                .filter(line -> line.startsWith("compiled "))
                .forEach(line -> compiled.addAll(List.of(line.split(" ")).subList(1, words(line))));
        return new Result(process.waitFor(), compiled, output);
    }

    private static int words(String line) {
        return line.split(" ").length;
    }

    /** Returns the contents of all files that were made, by their names. */
    TreeMap<String, String> made() throws IOException {
        var made = new TreeMap<String, String>();
        for (var part : List.of("out/classes", "out/test-classes")) {
            var root = folder.resolve(part);
            if (Files.exists(root)) {
                try (Stream<Path> files = Files.walk(root)) {
                    for (var file : files.filter(Files::isRegularFile).toList()) {
                        var bytes = Files.readAllBytes(file);
                        made.put(
                                folder.relativize(file).toString(),
                                new String(bytes, StandardCharsets.ISO_8859_1));
                    }
                }
            }
        }
        return made;
    }
}
