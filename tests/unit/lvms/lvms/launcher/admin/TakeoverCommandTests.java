package lvms.launcher.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/** What the flags of {@code lvms takeover} ask for. */
class TakeoverCommandTests {
    @ParameterizedTest
    @CsvSource({
        "RUN, --from=lvms --timeout=0, 'flag --timeout=0: must be seconds, 1 to 86400'",
        "BACK, --from=lvms --timeout=soon, 'flag --timeout=soon: must be seconds, 1 to 86400'",
        "CONFIRM, --from=lvms --timeout=, 'flag --timeout=: must be seconds, 1 to 86400'",
        "PLAN, --from=lvms --namespace=a/b, flag --namespace=a/b: must be the name of a namespace",
        "RUN, --from=lvms --namespace=Lvms, flag --namespace=Lvms: must be the name of a namespace",
        "PLAN, --from=ceph, flag --from=ceph: must be lvms or nativestor or topolvm or"
                + " topolvm-legacy",
        "RUN, --yes, flag --from=: must be lvms or nativestor or topolvm or topolvm-legacy",
    })
    void wrongValuesAreRefusedBeforeAnythingIsRead(
            TakeoverCommand.Verb verb, String arguments, String message) throws Exception {
        var command = new TakeoverCommand(verb);
        var flags = Flags.parse(command.flags(), List.of(arguments.split(" ")));
        var failure = assertThrows(UsageException.class, () -> command.run(flags));
        assertEquals(message, failure.getMessage());
    }
}
