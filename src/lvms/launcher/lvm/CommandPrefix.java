package lvms.launcher.lvm;

import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.LvmOptions;
import lvms.node.deviceclass.LvmdConfig;
import lvms.node.deviceclass.LvmdConfigFile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** {@code lvm-command-prefix} of lvmd.yaml: a command that runs the {@code lvm} program. */
public final class CommandPrefix {
    private static final System.Logger LOG = System.getLogger("lvms");

    private CommandPrefix() {}

    /** Such a command can only run the program, so there is no worker then. */
    public static LvmOptions apply(LvmOptions options, List<String> words) {
        return words.isEmpty()
                ? options
                : options.withExecCommand(words).withEngine(LvmOptions.Engine.EXEC);
    }

    /**
     * Returns the command in a file that may be missing. A file that cannot be read has none:
     * whoever serves its device classes reports what is wrong with it.
     */
    public static List<String> of(Path lvmdConfig) {
        try {
            return new LvmdConfigFile(lvmdConfig)
                    .read()
                    .map(LvmdConfig::commandPrefix)
                    .orElse(List.of());
        } catch (IOException | IllegalArgumentException e) {
            LOG.log(WARNING, () -> "no command prefix file=" + lvmdConfig + ": " + e.getMessage());
            return List.of();
        }
    }
}
