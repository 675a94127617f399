package lvms.launcher;

import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.command.LvmCommands;
import lvms.node.doctor.Diagnosis;

import java.util.List;

/** {@code lvms volumes --local}: the volume groups, thin pools and volumes of this machine. */
final class VolumesCommand implements Command {
    @Override
    public String name() {
        return "volumes";
    }

    @Override
    public String summary() {
        return "show volume groups, thin pools and volumes of this machine (--local)";
    }

    @Override
    public List<Flag> flags() {
        return LocalCommand.flags();
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        boolean json = LocalCommand.json(name(), flags);
        var obstacle = LocalCommand.obstacle();
        if (obstacle.isPresent()) {
            return LocalCommand.failed(1, obstacle.get());
        }
        var options = LocalCommand.choice().options();
        // One report is not worth the start of a worker.
        try (var lvm = LvmCommands.open(options.withEngine(LvmOptions.Engine.EXEC))) {
            var groups = lvm.groups().reports();
            System.out.print(
                    json ? Diagnosis.volumesJson(groups) + "\n" : Diagnosis.volumesText(groups));
            return 0;
        } catch (LvmException e) {
            return LocalCommand.failed(1, LocalCommand.noLvm(e));
        }
    }
}
