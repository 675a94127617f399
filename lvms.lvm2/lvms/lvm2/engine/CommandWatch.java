package lvms.lvm2.engine;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;

import java.time.Duration;

/** Tells a listener how each command of some engines ended. Any thread may call. */
public final class CommandWatch {
    private volatile Lvm.Listener listener = (_, _, _) -> {};

    /** Nobody listens yet. */
    public CommandWatch() {}

    /** Tells this listener from now on. */
    public void tell(Lvm.Listener next) {
        listener = next;
    }

    /** Returns the same engine, watched. */
    public Engine over(Engine engine) {
        return new Watched(engine);
    }

    private final class Watched implements Engine {
        private final Engine engine;

        Watched(Engine engine) {
            this.engine = engine;
        }

        @Override
        public Reply run(Command command) throws LvmException, InterruptedException {
            long start = System.nanoTime();
            boolean succeeded = false;
            try {
                var reply = engine.run(command);
                succeeded = reply.status() == 0;
                return reply;
            } finally {
                var took = Duration.ofNanos(System.nanoTime() - start);
                listener.ended(command.words().getFirst(), took, succeeded);
            }
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
}
