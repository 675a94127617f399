package lvms.launcher.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.operator.uninstall.Wishes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Set;

/** What the flags of {@code lvms uninstall} ask for. */
class UninstallCommandTests {
    private static Flags flags(String... arguments) throws Exception {
        return Flags.parse(new UninstallCommand().flags(), List.of(arguments));
    }

    @Test
    void disksAreBlankedUnlessTheyAreToBeKept() throws Exception {
        assertEquals(Wishes.Disks.BLANK, UninstallCommand.wishes(flags()).disks());
        assertEquals(Wishes.Disks.KEEP, UninstallCommand.wishes(flags("--disks=keep")).disks());
    }

    @Test
    void onlyNamedVolumesAndNodesAreGivenUp() throws Exception {
        var wishes = UninstallCommand.wishes(flags("--volumes=a,b", "--lost-nodes=n1"));
        assertEquals(Set.of("a", "b"), wishes.volumes());
        assertEquals(Set.of("n1"), wishes.lostNodes());
        assertEquals(Set.of(), UninstallCommand.wishes(flags()).volumes());
    }

    @ParameterizedTest
    @CsvSource({
        "--disks=wipe, flag --disks=wipe: must be blank or keep",
        "--timeout=0, 'flag --timeout=0: must be seconds, 1 to 86400'",
        "--timeout=99999, 'flag --timeout=99999: must be seconds, 1 to 86400'",
    })
    void wrongValuesAreRefusedBeforeAnythingIsRead(String argument, String message)
            throws Exception {
        var flags = flags(argument);
        var failure = assertThrows(UsageException.class, () -> new UninstallCommand().run(flags));
        assertEquals(message, failure.getMessage());
    }
}
