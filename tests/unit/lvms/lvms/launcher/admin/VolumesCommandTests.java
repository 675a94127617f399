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
        "--plan, --plan goes with --delete or --delete-retained or --from-node alone",
        "--plan --adopt=v, --plan goes with --delete or --delete-retained or --from-node alone",
        "--delete-retained, --delete-retained and --older-than go together",
        "--older-than=30d, --delete-retained and --older-than go together",
        "--delete-retained --older-than=9d --delete=pvc-1, --delete and --delete-retained do not go"
                + " together: name one",
        "--delete-retained --older-than=0d, flag --older-than=0d: must be 1h at least",
        "--delete-retained --older-than=30, 'flag --older-than=30: must be days or hours, such as"
                + " 30d or 12h'",
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
