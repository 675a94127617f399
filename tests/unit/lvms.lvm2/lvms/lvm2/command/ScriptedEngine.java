package lvms.lvm2.command;

import lvms.lvm2.Deadlines;
import lvms.lvm2.DeviceScope;
import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.engine.Command;
import lvms.lvm2.engine.Engine;
import lvms.lvm2.engine.Reply;
import lvms.lvm2.report.KnownColumns;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An engine that answers as a test says, and notes what it was asked. */
final class ScriptedEngine implements Engine {
    static final String EMPTY = "{\"report\": [{\"vg\": []}], \"log\": []}";
    static final List<String> CHANGE = List.of("lvextend", "-y", "vg/lv");

    interface Answer {
        Reply of(Command command) throws LvmException;
    }

    final List<Command> seen = new ArrayList<>();
    Answer answer = _ -> new Reply(0, EMPTY, "");

    @Override
    public Reply run(Command command) throws LvmException {
        seen.add(command);
        return answer.of(command);
    }

    @Override
    public EngineStatus status() {
        return new EngineStatus(EngineStatus.Kind.WORKER, "", "2.03.16(2)");
    }

    @Override
    public void close() {}

    /** Returns the names of the commands seen. */
    List<String> commands() {
        return seen.stream().map(command -> command.words().getFirst()).toList();
    }

    /** Returns a runner without a device-mapper, with short deadlines. */
    CommandRunner runner(Path folder) {
        var options =
                LvmOptions.defaults()
                        .withSystemDir(folder, false, false)
                        .withDeadlines(
                                new Deadlines(
                                        Duration.ofSeconds(1),
                                        Duration.ofSeconds(2),
                                        Duration.ofSeconds(3)))
                        .withTimes(Duration.ofSeconds(1), Duration.ofMillis(100));
        return new CommandRunner(
                this, this, options, new DeviceScope.Configured(), new KnownColumns());
    }
}
