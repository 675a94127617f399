package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.LvmOptions;
import lvms.lvm2.device.DeviceMapper;
import lvms.tests.lab.machine.LabJvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@link CutServer}. Killed alone, as by a signal, its worker or {@code lvm} process ends the
 * command it runs; killed with its family, as a container is, nothing ends in order. In both cases
 * its watchdog lives on, and lets all I/O go on before the next process has begun.
 */
final class ServerVictim implements CutVictim {
    private final LvmOptions.Engine engine;
    private final boolean family;
    private Process server;
    private BufferedReader answers;

    ServerVictim(LvmOptions.Engine engine, boolean family) {
        this.engine = engine;
        this.family = family;
    }

    @Override
    public void prepare() throws Exception {
        if (server != null) {
            return;
        }
        var command = LabJvm.heap(64).command(CutServer.class, engine.name());
        server = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        answers = server.inputReader(StandardCharsets.UTF_8);
        assertEquals("ready", answers.readLine());
    }

    @Override
    public boolean cut(CutChange change, long afterNanos) throws Exception {
        var killed = new ArrayList<ProcessHandle>();
        var killer = CutVictim.after(afterNanos, () -> kill(killed));
        boolean done;
        try {
            done = "done".equals(answer(change));
        } finally {
            killer.interrupt();
            killer.join();
        }
        if (done && killed.isEmpty()) {
            return false;
        }
        for (var process : killed) {
            process.onExit().join(); // an orphan ends its command first
        }
        server = null;
        if (engine == LvmOptions.Engine.WORKER) { // else the next process and it meet
            assertEquals(List.of(), DeviceMapper.system().suspended(), "the watchdog has ended");
        }
        return !done;
    }

    private String answer(CutChange change) {
        try {
            server.getOutputStream().write((change.line() + "\n").getBytes(StandardCharsets.UTF_8));
            server.getOutputStream().flush();
            return answers.readLine();
        } catch (IOException e) {
            return null; // killed before it had the line
        }
    }

    private void kill(List<ProcessHandle> killed) {
        var children = server.descendants().toList();
        var watchdogs =
                children.stream()
                        .filter(child -> WorkerVictim.runs(child, WatchdogMain.class))
                        .toList();
        server.destroyForcibly();
        for (var child : children) {
            if (family && !watchdogs.contains(child)) {
                child.destroyForcibly();
            }
            if (engine == LvmOptions.Engine.WORKER || !watchdogs.contains(child)) {
                killed.add(child);
            }
        }
        killed.add(server.toHandle());
    }

    @Override
    public void make(CutChange change) throws Exception {
        prepare();
        assertEquals("done", answer(change), change.toString());
    }

    @Override
    public void end() throws Exception {
        if (server != null) {
            server.getOutputStream().close();
            server.waitFor();
        }
    }
}
