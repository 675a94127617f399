package lvms.profiling;

import jdk.jfr.Configuration;
import jdk.jfr.Recording;

import java.io.IOException;
import java.nio.file.Files;
import java.text.ParseException;
import java.time.Duration;

/** What the JDK Flight Recorder sees in some seconds, with its settings {@code profile}. */
final class FlightRecording {
    /** The processes have small heaps. */
    private static final int MAX_BYTES = 8 << 20;

    private FlightRecording() {}

    static byte[] of(Duration time) throws IOException, InterruptedException {
        var file = Files.createTempFile("lvms", ".jfr");
        try (var recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.start();
            Thread.sleep(time);
            recording.stop();
            recording.dump(file);
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException(
                        "the recording is too large: " + Files.size(file) + " bytes; ask for less");
            }
            return Files.readAllBytes(file);
        } catch (ParseException e) {
            throw new IOException("the JDK's own settings cannot be read", e);
        } finally {
            Files.delete(file);
        }
    }
}
