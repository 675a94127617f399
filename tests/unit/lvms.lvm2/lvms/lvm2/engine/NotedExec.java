package lvms.lvm2.engine;

import lvms.lvm2.EngineStatus;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands in for exec: notes the commands that are left to it, and answers each with its name. */
final class NotedExec implements Engine {
    private final List<Command> commands = new CopyOnWriteArrayList<>();

    /** Returns what was left to it, oldest first. */
    List<Command> commands() {
        return List.copyOf(commands);
    }

    @Override
    public Reply run(Command command) {
        commands.add(command);
        return new Reply(0, "exec", "");
    }

    @Override
    public EngineStatus status() {
        return new EngineStatus(EngineStatus.Kind.EXEC, "", "");
    }

    @Override
    public void close() {}
}
