package lvms.tests.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;

/** docs/reference.md says what the sources say. */
class ReferenceTests {
    @Test
    void isCurrent() throws Exception {
        assertEquals(
                Reference.text(),
                Files.readString(Reference.PAGE),
                Reference.PAGE + " is out of date: run ./build.sh docs");
    }
}
