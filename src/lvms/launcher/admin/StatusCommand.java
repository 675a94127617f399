package lvms.launcher.admin;

import lvms.launcher.command.Command;
import lvms.launcher.command.ExitCode;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.operator.inspection.LvmReport;
import lvms.operator.overview.StatusReport;

import java.util.List;

/** {@code lvms status}: the whole installation as tables. It only reads. */
public final class StatusCommand implements Command {
    @Override
    public String name() {
        return "status";
    }

    @Override
    public String summary() {
        return "show clusters, versions, nodes, device classes and disks";
    }

    @Override
    public List<Flag> flags() {
        return ClusterCommand.flags(LocalCommand.output());
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster();
    }

    @Override
    public List<ExitCode> exitCodes() {
        return ClusterCommand.EXIT_CODES;
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        return ClusterCommand.show(name(), flags, StatusReport::of, LvmReport::usage);
    }
}
