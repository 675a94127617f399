package lvms.debian;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A lock file: which files of Debian's archives are taken.
 *
 * @param pins by the package's name
 * @param snapshot when the archives had all of them, as {@code 20261127T101500Z}; empty if the file
 *     does not say
 */
record Lock(Path file, Map<String, Pin> pins, Optional<String> snapshot) {
    private static final String SNAPSHOT = "# snapshot ";

    static Lock read(Path file) throws IOException, DebianException {
        var pins = new LinkedHashMap<String, Pin>();
        var snapshot = Optional.<String>empty();
        for (var line : Files.readAllLines(file)) {
            if (line.startsWith(SNAPSHOT)) {
                snapshot = Optional.of(line.substring(SNAPSHOT.length()).strip());
            } else if (!line.isBlank() && !line.startsWith("#")) {
                var pin = pin(file, line);
                pins.put(pin.name(), pin);
            }
        }
        return new Lock(file, pins, snapshot);
    }

    private static Pin pin(Path file, String line) throws DebianException {
        try {
            return Pin.of(line);
        } catch (DebianException e) {
            throw new DebianException(file + ": " + e.getMessage());
        }
    }
}
