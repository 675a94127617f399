package lvms.lvm2.command;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command;
import lvms.lvm2.engine.Engine;
import lvms.lvm2.engine.Reply;

import java.util.List;

/** Notes what passes through an engine: how many commands, their words, and LVM's share of time. */
final class TimedEngine implements Engine {
    private final Engine engine;
    private int commands;
    private long libraryNanos;
    private List<String> lastWords = List.of();

    TimedEngine(Engine engine) {
        this.engine = engine;
    }

    @Override
    public Reply run(Command command) throws LvmException, InterruptedException {
        var reply = engine.run(command);
        commands++;
        libraryNanos += reply.libraryNanos();
        lastWords = command.words();
        return reply;
    }

    /** Forgets what was noted. */
    void reset() {
        commands = 0;
        libraryNanos = 0;
    }

    int commands() {
        return commands;
    }

    long libraryNanos() {
        return libraryNanos;
    }

    /** Returns the words of the last command. */
    List<String> lastWords() {
        return lastWords;
    }

    @Override
    public EngineStatus status() {
        return engine.status();
    }

    @Override
    public void close() {
        engine.close();
    }
}
