package lvms.lvm2.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Properties of one device in udev's database ({@code E:} lines of {@code /run/udev/data/bM:N}).
 */
final class UdevData {
    private UdevData() {}

    /** Returns no properties if there is no udevd, or it has not seen the device. */
    static Map<String, String> read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            return Map.of();
        }
    }

    static Map<String, String> parse(String text) {
        return text.lines()
                .filter(line -> line.startsWith("E:") && line.indexOf('=') > 0)
                .collect(
                        Collectors.toMap(
                                line -> line.substring(2, line.indexOf('=')),
                                line -> line.substring(line.indexOf('=') + 1),
                                (a, b) -> b));
    }
}
