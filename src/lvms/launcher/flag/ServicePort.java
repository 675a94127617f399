package lvms.launcher.flag;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A TCP port by its number or by the name of its service, as Go's programs take it: services(5)
 * counts, and where it is missing, as in most images, these few.
 */
final class ServicePort {
    private static final Path SERVICES = Path.of("/etc/services");
    private static final String TCP = "/tcp";
    private static final Map<String, Integer> KNOWN = Map.of("http", 80, "https", 443);

    private ServicePort() {}

    /** Returns the port, empty if there is none of that number or name. */
    static OptionalInt of(String text) {
        return of(text, SERVICES);
    }

    static OptionalInt of(String text, Path services) {
        if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return number(text);
        }
        var listed = listed(text, services);
        return listed.isPresent() || !KNOWN.containsKey(text)
                ? listed
                : OptionalInt.of(KNOWN.get(text));
    }

    private static OptionalInt number(String digits) {
        try {
            int port = Integer.parseInt(digits);
            return port <= 65_535 ? OptionalInt.of(port) : OptionalInt.empty();
        } catch (NumberFormatException _) {
            return OptionalInt.empty();
        }
    }

    private static OptionalInt listed(String name, Path services) {
        if (name.isEmpty() || !Files.isReadable(services)) {
            return OptionalInt.empty();
        }
        try (var lines = Files.lines(services, StandardCharsets.ISO_8859_1)) {
            return lines.flatMapToInt(line -> port(line, name).stream()).findFirst();
        } catch (IOException _) {
            return OptionalInt.empty(); // then the name is unknown, which the caller says
        }
    }

    /** Reads {@code name port/protocol alias ... # comment}. */
    private static OptionalInt port(String line, String name) {
        var words = line.split("#", 2)[0].trim().split("\\s+");
        if (words.length < 2 || !words[1].endsWith(TCP)) {
            return OptionalInt.empty();
        }
        var names = Stream.concat(Stream.of(words[0]), Arrays.stream(words).skip(2));
        return names.anyMatch(name::equals)
                ? number(words[1].substring(0, words[1].length() - TCP.length()))
                : OptionalInt.empty();
    }
}
