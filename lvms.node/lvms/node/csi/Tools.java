package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.lvm2.device.MachineTools;
import lvms.lvm2.system.Program;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** The filesystem programs: mkfs, resize, check, wipe. Any thread may call. */
final class Tools {
    private static final Logger LOG = System.getLogger(Tools.class.getName());
    private static final int OUTPUT_BYTES = 8 << 10;
    private static final int MESSAGE_CHARS = 500;

    /** mkfs first discards the whole device, perhaps terabytes; the repeated call waits for it. */
    private static final Duration DEADLINE = Duration.ofMinutes(30);

    private Tools() {}

    /**
     * Runs a program.
     *
     * @return its exit status
     * @throws VolumeException INTERNAL if it ends with a status above {@code lastGood}, or does not
     *     end
     */
    static int run(List<String> command, int lastGood)
            throws VolumeException, InterruptedException {
        LOG.log(Level.DEBUG, () -> "program runs command=" + command);
        Program.Result result;
        try {
            result = new Program(command, DEADLINE, OUTPUT_BYTES, Map.of()).run();
        } catch (IOException | TimeoutException e) {
            throw new VolumeException(
                    StatusCode.INTERNAL,
                    String.join(" ", command) + ": " + absent(command).orElse(e.getMessage()),
                    e);
        }
        if (result.status() > lastGood) {
            throw new VolumeException(
                    StatusCode.INTERNAL,
                    String.join(" ", command)
                            + ": status "
                            + result.status()
                            + ": "
                            + lastWords(
                                    result.stderr().isBlank() ? result.stdout() : result.stderr()));
        }
        return result.status();
    }

    /** Runs a program that has to end with status 0. */
    static void run(List<String> command) throws VolumeException, InterruptedException {
        run(command, 0);
    }

    private static Optional<String> absent(List<String> command) {
        return MachineTools.ofProcess().missing(command.subList(0, 1)).stream()
                .findFirst()
                .map(name -> "this image lacks " + name + ", use the one of ./build.sh oci");
    }

    private static String lastWords(String output) {
        var text = output.strip().replaceAll("\\s+", " ");
        return text.substring(Math.max(0, text.length() - MESSAGE_CHARS));
    }
}
