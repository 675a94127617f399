package lvms.launcher.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** {@code lvms volumes} changes nothing if its flags could mean two things. */
class VolumesCommandTests {
    @ParameterizedTest
    @CsvSource({
        "--from-node=a, --from-node and --to-node go together",
        "--to-node=b, --from-node and --to-node go together",
        "--delete=pvc-1 --adopt=lv-1, --adopt and --delete do not go together: name one",
        "--plan, --plan goes with --delete or --from-node alone",
        "--plan --adopt=lv-1, --plan goes with --delete or --from-node alone",
        "--local --delete=pvc-1, --delete works on the cluster: leave out --local",
        "--from-node=a --to-node=b --timeout=x, 'flag --timeout=x: must be seconds, 1 to 86400'",
    })
    void wrongFlagsAreRefusedBeforeAnythingIsRead(String arguments, String message)
            throws Exception {
        var command = new VolumesCommand();
        var flags = Flags.parse(command.flags(), List.of(arguments.split(" ")));
        var failure = assertThrows(UsageException.class, () -> command.run(flags));
        assertEquals(message, failure.getMessage());
    }
}
