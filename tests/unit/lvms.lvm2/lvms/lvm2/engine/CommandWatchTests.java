package lvms.lvm2.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Whoever listens hears how each command ended. */
class CommandWatchTests {
    private static final Command COMMAND =
            new Command(Command.Effect.READ, List.of("vgs", "--noheadings"));

    private final CommandWatch watch = new CommandWatch();
    private final List<String> heard = new ArrayList<>();

    private void listen() {
        watch.tell(
                (command, took, succeeded) -> {
                    assertFalse(took.isNegative());
                    heard.add(command + " " + succeeded);
                });
    }

    /** An engine whose commands end with this status, or die. */
    private record Ending(int code) implements Engine {
        @Override
        public Reply run(Command command) throws LvmException {
            if (code < 0) {
                throw new LvmException.Unavailable("dead", null);
            }
            return new Reply(code, "", "");
        }

        @Override
        public EngineStatus status() {
            return new EngineStatus(EngineStatus.Kind.EXEC, "a test", "");
        }

        @Override
        public void close() {}
    }

    @Test
    void hearsOfSuccessFailureAndDeath() throws Exception {
        listen();
        assertEquals(0, watch.over(new Ending(0)).run(COMMAND).status());
        assertEquals(5, watch.over(new Ending(5)).run(COMMAND).status());
        assertThrows(LvmException.Unavailable.class, () -> watch.over(new Ending(-1)).run(COMMAND));
        assertEquals(List.of("vgs true", "vgs false", "vgs false"), heard);
    }

    @Test
    void nobodyHasToListen() throws Exception {
        var engine = watch.over(new Ending(0));
        assertEquals(0, engine.run(COMMAND).status());
        listen();
        engine.run(COMMAND);
        assertEquals(List.of("vgs true"), heard);
    }
}
