package lvms.launcher.command;

import lvms.csi.BuildInfo;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;

import java.util.List;

/** {@code lvms version}: what this is, of which sources, and what it runs on. */
public final class VersionCommand implements Command {
    @Override
    public String name() {
        return "version";
    }

    @Override
    public String summary() {
        return "print the version";
    }

    @Override
    public List<Flag> flags() {
        return List.of();
    }

    @Override
    public int run(Flags flags) {
        var build = BuildInfo.of(version());
        System.out.println(
                "lvms %s (commit %s, java %s)"
                        .formatted(build.version(), build.commit(), Runtime.version()));
        return 0;
    }

    /** The module's version, which the build sets. */
    public static String version() {
        return VersionCommand.class.getModule().getDescriptor() == null
                ? "development"
                : VersionCommand.class
                        .getModule()
                        .getDescriptor()
                        .rawVersion()
                        .orElse("development");
    }
}
