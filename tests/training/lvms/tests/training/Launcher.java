package lvms.tests.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The argument files of an image's launchers, for an image that is not where it was made for. */
public final class Launcher {
    private Launcher() {}

    /** Returns the words after {@code java}. */
    public static List<String> words(Path image, String name, String... arguments)
            throws IOException {
        var words = new ArrayList<String>();
        for (var line : Files.readAllLines(image.resolve("lib/" + name + ".args"))) {
            words.addAll(List.of(line.replaceAll("=/.*/lib/", "=" + image + "/lib/").split(" ")));
        }
        words.add("/" + name);
        words.addAll(List.of(arguments));
        return words;
    }
}
