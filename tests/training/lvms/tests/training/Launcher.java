package lvms.tests.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What the launchers of an image's folder call java with. */
public final class Launcher {
    /** The file of arguments, and the AOT cache if the kind of process has one. */
    private static final Pattern NAMES =
            Pattern.compile("cache=\\$lib/(.*)\n(?s:.*)\"@\\$lib/(.*?)\"");

    private Launcher() {}

    /** Returns the words after {@code java}. */
    public static List<String> words(Path image, String name, String... arguments)
            throws IOException {
        var launcher = Files.readString(image.resolve("bin/" + name));
        var names = NAMES.matcher(launcher);
        if (!names.find()) {
            throw new IOException(name + " is no launcher: " + launcher);
        }
        var words = new ArrayList<String>();
        var cache = image.resolve("lib/" + names.group(1));
        if (Files.isRegularFile(cache)) {
            words.add("-XX:AOTCache=" + cache);
        }
        for (var line : Files.readAllLines(image.resolve("lib/" + names.group(2)))) {
            words.addAll(List.of(line.split(" ")));
        }
        words.add("/" + name);
        words.addAll(List.of(arguments));
        return words;
    }
}
