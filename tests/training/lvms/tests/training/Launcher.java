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
        for (var line : Files.readAllLines(arguments(image, name))) {
            words.addAll(List.of(line.replaceAll("=/.*/lib/", "=" + image + "/lib/").split(" ")));
        }
        words.add("/" + name);
        words.addAll(List.of(arguments));
        return words;
    }

    /** The file that the launcher names; programs may share one. */
    private static Path arguments(Path image, String name) throws IOException {
        var launcher = Files.readString(image.resolve("bin/" + name)).strip();
        var file = Path.of(launcher.substring(launcher.indexOf('@') + 1)).getFileName();
        return image.resolve("lib").resolve(file);
    }
}
