package lvms.debian;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Fetches the packages of {@code lock=FILE} into {@code cache=FOLDER}. With {@code contents=FILE
 * root=FOLDER} it unpacks them there. Other words: {@code debian=URL debian-security=URL
 * snapshots=URL}; a mirror that is not known is empty.
 */
final class Main {
    private static final Path APT_HELPER = Path.of("/usr/lib/apt/apt-helper");

    private final Map<String, String> words = new HashMap<>();

    private Main(String[] args) {
        for (var word : args) {
            var parts = word.split("=", 2);
            words.put(parts[0], parts[1]);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        var main = new Main(args);
        try {
            main.run();
        } catch (DebianException e) {
            fail(e.getMessage());
        } catch (IOException e) { // a full disk, or what may not be written
            var target = main.words.getOrDefault("root", main.words.get("cache"));
            fail(
                    "the packages of %s do not get to %s: %s"
                            .formatted(main.words.get("lock"), target, said(e)));
        }
    }

    private static void fail(String line) {
        System.err.println("build.sh: " + line);
        System.exit(1);
    }

    /** Most exceptions of a file have only its name as their message. */
    private static String said(IOException e) {
        return e instanceof FileSystemException failed && failed.getReason() != null
                ? failed.getFile() + ": " + failed.getReason()
                : e.getMessage();
    }

    private void run() throws IOException, DebianException, InterruptedException {
        var lock = Lock.read(Path.of(words.get("lock")));
        var files = new Downloads(archive(), Path.of(words.get("cache"))).fetch(lock);
        if (words.containsKey("root")) {
            var contents = Contents.read(Path.of(words.get("contents")));
            new Layer(Path.of(words.get("root"))).unpack(contents, files);
        }
    }

    private Archive archive() {
        var mirrors = new TreeMap<String, URI>();
        for (var name : new String[] {"debian", "debian-security"}) {
            if (!words.get(name).isEmpty()) {
                mirrors.put(name, URI.create(words.get(name)));
            }
        }
        var snapshots = Optional.ofNullable(words.get("snapshots")).map(URI::create);
        return new Archive(mirrors, snapshots, transfer());
    }

    /** Where there is an apt, it knows how this machine reaches a mirror. */
    private static Transfer transfer() {
        return Files.isExecutable(APT_HELPER) ? new AptHelper(APT_HELPER) : new Http();
    }
}
