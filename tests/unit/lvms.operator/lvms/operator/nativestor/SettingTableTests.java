package lvms.operator.nativestor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;

/** The page for users lists each key with what became of it. */
class SettingTableTests {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| (.*) \\|$");

    @Test
    void thePageSaysOfEachKeyWhatTheOperatorSays() throws Exception {
        var rows =
                ROW.matcher(Files.readString(Path.of("docs/nativestor.md")))
                        .results()
                        .map(row -> row.group(1) + " " + row.group(2))
                        .toList();
        assertEquals(
                Arrays.stream(SettingKey.values())
                        .map(k -> k + " " + (k.effective() ? "yes" : "no") + " | " + k.meaning())
                        .toList(),
                rows);
    }
}
