package lvms.launcher;

import lvms.lvm2.LvmException;
import lvms.lvm2.command.LvmCommands;
import lvms.node.deviceclass.LvmdConfigFile;
import lvms.node.doctor.Diagnosis;
import lvms.node.doctor.MachineReader;

import java.io.IOException;
import java.util.List;

/**
 * {@code lvms doctor --local}: what is wrong with LVM on this machine. It only reads. Its exit
 * codes are like those of diff and grep.
 */
final class DoctorCommand implements Command {
    private static final int TROUBLE = 2;

    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public String summary() {
        return "say what is wrong with LVM on this machine (--local)";
    }

    @Override
    public List<Flag> flags() {
        return LocalCommand.flags();
    }

    @Override
    public List<ExitCode> exitCodes() {
        return List.of(
                new ExitCode(0, "nothing to do"),
                new ExitCode(1, "it found errors or warnings"),
                new ExitCode(TROUBLE, "it could not look, or wrong flags"));
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
                    new MachineReader(lvm, choice.options(), choice.reason(), LvmdConfigFile.PATH);
            var diagnosis = Diagnosis.of(reader.read());
            System.out.print(json ? diagnosis.json() + "\n" : diagnosis.text());
            return diagnosis.urgent() ? 1 : 0;
        } catch (LvmException | IOException e) {
            return LocalCommand.failed(TROUBLE, LocalCommand.noLvm(e));
        }
    }
}
