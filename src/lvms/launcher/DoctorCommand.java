package lvms.launcher;

import lvms.lvm2.LvmException;
import lvms.lvm2.command.LvmCommands;
import lvms.node.doctor.Diagnosis;
import lvms.node.doctor.MachineReader;
import lvms.node.lvmd.LvmdSettings;

import java.io.IOException;
import java.util.List;

/**
 * {@code lvms doctor --local}: what is wrong with LVM on this machine. It reads alone. Exit codes
 * as those of diff and grep: 0 nothing to do, 1 errors or warnings, 2 it could not look.
 */
final class DoctorCommand implements Command {
    private static final int TROUBLE = 2;

    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public String summary() {
        return "look for what is wrong with LVM on this machine (--local)";
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
            return LocalCommand.failed(TROUBLE, obstacle.get());
        }
        var choice = LocalCommand.choice();
        try (var lvm = LvmCommands.open(choice.options())) {
            var reader =
                    new MachineReader(lvm, choice.options(), choice.reason(), LvmdSettings.CONFIG);
            var diagnosis = Diagnosis.of(reader.read());
            System.out.print(json ? diagnosis.json() + "\n" : diagnosis.text());
            return diagnosis.urgent() ? 1 : 0;
        } catch (LvmException | IOException e) {
            return LocalCommand.failed(TROUBLE, LocalCommand.noLvm(e));
        }
    }
}
