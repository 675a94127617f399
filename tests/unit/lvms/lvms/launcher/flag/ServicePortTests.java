package lvms.launcher.flag;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;

/** A port is found by its number, by services(5), and by two names that every program knows. */
class ServicePortTests {
    @TempDir private Path folder;

    private OptionalInt port(String text) throws Exception {
        var file = folder.resolve("services");
        Files.writeString(
                file,
                """
                # Network services
                https   8443/tcp   secure # as this site has it
                syslog  514/udp
                odd     x/tcp
                alone
                """);
        return ServicePort.of(text, file);
    }

    @Test
    void theFileComesFirstAndItsAliasesCount() throws Exception {
        assertEquals(OptionalInt.of(8443), port("https"));
        assertEquals(OptionalInt.of(8443), port("secure"));
        assertEquals(OptionalInt.of(80), port("http"));
    }

    @Test
    void anotherProtocolAndAWrongLineAreNoService() throws Exception {
        assertEquals(OptionalInt.empty(), port("syslog"));
        assertEquals(OptionalInt.empty(), port("odd"));
        assertEquals(OptionalInt.empty(), port("alone"));
        assertEquals(OptionalInt.empty(), port("site"));
    }

    @Test
    void withoutTheFileTheUsualNamesAreKnown() {
        var none = folder.resolve("none");
        assertEquals(OptionalInt.of(443), ServicePort.of("https", none));
        assertEquals(OptionalInt.empty(), ServicePort.of("gopher", none));
    }

    @Test
    void aNumberIsWithinItsBounds() throws Exception {
        assertEquals(OptionalInt.of(0), port("0"));
        assertEquals(OptionalInt.of(65_535), port("65535"));
        assertEquals(OptionalInt.empty(), port("65536"));
        assertEquals(OptionalInt.empty(), port("99999999999"));
        assertEquals(OptionalInt.empty(), port("-1"));
        assertEquals(OptionalInt.empty(), port("+1"));
    }
}
