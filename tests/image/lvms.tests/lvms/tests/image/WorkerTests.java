package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.engine.WorkerTraining;
import lvms.lvm2.worker.Frames;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The image's own worker may call into LVM, though nothing else may call into C. */
@Timeout(60)
class WorkerTests {
    @TempDir private Path scratch;

    @Test
    void runsACommandOfTheLibrary() throws Exception {
        var image = new Image(scratch);
        var process = image.start(Map.of(), WorkerTraining.words());
        try (var in = new DataInputStream(process.getInputStream());
                var out = new DataOutputStream(process.getOutputStream())) {
            var hello = Frames.readAnswer(in);
            Assumptions.assumeFalse(
                    hello.stderrText().contains("liblvm2cmd.so"),
                    "liblvm2cmd is not installed: " + hello.stderrText());
            assertTrue(hello.stdoutText().contains("LVM version"), hello.stderrText());
            Frames.writeCommandLine(out, "version");
            var again = Frames.readAnswer(in);
            assertEquals(1, again.status(), again.stderrText());
            assertEquals(hello.stdoutText(), again.stdoutText());
        }
        assertEquals(0, process.waitFor());
        assertEquals(List.of(), image.litter());
    }
}
