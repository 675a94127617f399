package lvms.launcher.flag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * A wrong flag is named in one line before anything starts; a right one is read in every usual
 * spelling.
 */
class FlagsTests {
    private static final List<Flag> KNOWN =
            List.of(
                    new Flag("name", Flag.Kind.TEXT, "nobody", "a text"),
                    new Flag("leader-elect", Flag.Kind.SWITCH, "false", "a switch"),
                    new Flag("address", Flag.Kind.ADDRESS, ":8081", "an address"),
                    new Flag("cmd", Flag.Kind.WORDS, "/lvms,vgmanager", "words"));

    private static Flags parse(String... arguments) throws UsageException {
        return Flags.parse(KNOWN, List.of(arguments));
    }

    @Test
    void takesTheFallbacksWhereNothingIsGiven() throws Exception {
        var flags = parse();
        assertEquals("nobody", flags.text("name"));
        assertEquals(false, flags.on("leader-elect"));
        assertEquals(Optional.of(new InetSocketAddress(8081)), flags.address("address"));
        assertEquals(List.of("/lvms", "vgmanager"), flags.words("cmd"));
    }

    @ParameterizedTest
    @CsvSource({"--name=x", "-name=x", "--name x", "-name x"})
    void readsEverySpelling(String line) throws Exception {
        assertEquals("x", parse(line.split(" ")).text("name"));
    }

    /** As Go reads them, so a line for TopoLVM's programs may stay. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "1, true", "t, true", "T, true", "TRUE, true", "True, true", "true, true",
        "0, false", "f, false", "F, false", "FALSE, false", "False, false", "false, false"
    })
    void aSwitchIsReadAsGoDoes(String value, boolean on) throws Exception {
        assertEquals(on, parse("--leader-elect=" + value).on("leader-elect"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"-v4, 4", "-v=4, 4", "-v 4, 4", "--v=4, 4", "-v-1, -1", "-vmodule=a=1, ''"})
    void theValueOfALetterMayFollowAtOnce(String line, String value) throws Exception {
        var known =
                List.of(
                        new Flag("v", Flag.Kind.TEXT, "", "a letter"),
                        new Flag("vmodule", Flag.Kind.TEXT, "", "a word"));
        assertEquals(value, Flags.parse(known, List.of(line.split(" "))).text("v"));
    }

    @Test
    void aBareSwitchIsOnAndDoesNotSwallowTheNextWord() throws Exception {
        var flags = parse("--leader-elect", "--name=x");
        assertTrue(flags.on("leader-elect"));
        assertEquals("x", flags.text("name"));
    }

    @Test
    void anEmptyListHasNoWordAndAddressZeroIsNone() throws Exception {
        var flags = parse("--cmd=", "--address=0");
        assertEquals(List.of(), flags.words("cmd"));
        assertEquals(Optional.empty(), flags.address("address"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({":https, 443", "127.0.0.1:http, 80", ":8443, 8443", "[::1]:https, 443"})
    void aPortMayBeTheNameOfItsService(String address, int port) throws Exception {
        var parsed = parse("--address=" + address).address("address").orElseThrow();
        assertEquals(port, parsed.getPort());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "--nope | unknown flag --nope",
                "--name | flag --name needs a value",
                "word | unexpected argument \"word\"",
                "--leader-elect=yes | flag --leader-elect=yes: must be true or false",
                "--address=8081 | flag --address=8081: must be host:port, :port, or 0 for none",
                "--address=:99999 | flag --address=:99999: the port 99999 is neither a number from"
                        + " 0 to 65535 nor the name of a service",
                "--address=:nope | flag --address=:nope: the port nope is neither a number from 0"
                        + " to 65535 nor the name of a service",
                "--address=: | flag --address=:: the port  is neither a number from 0 to 65535 nor"
                        + " the name of a service",
                "--address=nowhere.invalid:1 | flag --address=nowhere.invalid:1: unknown host"
            })
    void namesWhatIsWrong(String argument, String message) {
        assertEquals(
                message, assertThrows(UsageException.class, () -> parse(argument)).getMessage());
    }
}
