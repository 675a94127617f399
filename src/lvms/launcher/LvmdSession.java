package lvms.launcher;

import static java.lang.System.Logger.Level.INFO;

import lvms.k8s.metrics.MetricsRegistry;
import lvms.launcher.lvm.CommandPrefix;
import lvms.launcher.lvm.LvmSearch;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.node.Lvmd;
import lvms.node.LvmdSettings;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.host.HostLvm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * lvmd for as long as its socket and its way to LVM stay the same; new device classes do not end
 * it.
 */
final class LvmdSession {
    private static final System.Logger LOG = System.getLogger("lvms");

    private LvmdSession() {}

    /** Serves until the process is to end, or until the settings in force need another session. */
    static void serve(Serving serving, LvmdReload file, MetricsRegistry metrics)
            throws IOException, LvmException, InterruptedException {
        var settings = file.inForce();
        try (var lvm = open(settings, file.lvmPath());
                var lvmd = new Lvmd(settings, lvm, metrics)) {
            var missing = lvmd.missing(settings);
            if (missing.isPresent()) {
                throw new IOException(file.path() + ": " + missing.get());
            }
            lvmd.start();
            file.served();
            LOG.log(INFO, () -> "lvmd serves classes=" + names(settings));
            follow(serving, file, lvmd);
        }
    }

    private static void follow(Serving serving, LvmdReload file, Lvmd lvmd)
            throws InterruptedException {
        var settings = file.inForce();
        while (!serving.endsWithin(LvmdReload.PERIOD)) {
            if (file.renewed(lvmd)) {
                if (!file.inForce().servedLike(settings)) {
                    return;
                }
                lvmd.take(file.inForce());
            }
        }
    }

    private static List<String> names(LvmdSettings settings) {
        return settings.classes().classes().stream().map(NodeDeviceClass::name).toList();
    }

    /**
     * Opens the LVM of this machine, by the words of the file or the flag if there are any.
     *
     * @throws LvmException if it cannot be used
     */
    static Lvm open(LvmdSettings settings, Optional<String> lvmPath)
            throws LvmException, InterruptedException {
        var choice = LvmSearch.choice(HostLvm.look());
        var options = run(choice.options(), settings.commandPrefix(), lvmPath);
        return LvmSearch.open(new HostLvm.Choice(options, choice.reason()));
    }

    private static LvmOptions run(
            LvmOptions options, List<String> prefix, Optional<String> lvmPath) {
        var words = lvmPath.map(path -> withProgram(options.execCommand(), path)).orElse(prefix);
        return CommandPrefix.apply(options, words);
    }

    /** The words that run LVM end with the program itself. */
    private static List<String> withProgram(List<String> command, String path) {
        var words = new ArrayList<>(command);
        words.set(words.size() - 1, path);
        return words;
    }
}
