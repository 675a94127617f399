package lvms.lvm2.device;

import lvms.lvm2.Grammar;
import lvms.lvm2.LvName;
import lvms.lvm2.ffi.DmTask;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The one thread that talks to libdevmapper; it ends when it has nothing to do. */
final class DeviceMapperThread implements DeviceMapper {
    static final DeviceMapperThread INSTANCE = new DeviceMapperThread();

    private static final Path PROC_DEVICES = Path.of("/proc/devices");
    private static final int MAX_WAITING = 64;
    private static final long KEEP_SECONDS = 10;
    private static final long ANSWER_SECONDS = 10;

    private final ExecutorService thread;

    private DeviceMapperThread() {
        var pool =
                new ThreadPoolExecutor(
                        1,
                        1,
                        KEEP_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MAX_WAITING),
                        Thread.ofPlatform().daemon().name("device-mapper").factory());
        pool.allowCoreThreadTimeOut(true);
        thread = pool;
    }

    @Override
    public boolean available() throws IOException {
        return Files.readString(PROC_DEVICES)
                .lines()
                .anyMatch(line -> line.endsWith(" device-mapper"));
    }

    @Override
    public List<Device> list() throws IOException, InterruptedException {
        return available() ? ask(DeviceMapperThread::devices) : List.of();
    }

    @Override
    public Optional<State> state(String name) throws IOException, InterruptedException {
        return available()
                ? ask(() -> DmTask.state(name).map(DeviceMapperThread::state))
                : Optional.empty();
    }

    private static List<Device> devices() throws IOException {
        return DmTask.list().stream().map(d -> new Device(d.name(), d.number())).toList();
    }

    private static State state(DmTask.State told) {
        return new State(
                told.name(),
                told.uuid(),
                told.number(),
                told.suspended(),
                told.inactiveTable(),
                told.readOnly(),
                told.openCount(),
                told.eventNumber(),
                told.targets().stream().map(DeviceMapperThread::target).toList());
    }

    private static Target target(DmTask.Target told) {
        return new Target(told.startBytes(), told.sizeBytes(), told.type(), told.status());
    }

    /** A pool with thin volumes has a layer of its own, behind the device with its name. */
    @Override
    public Optional<ThinPoolUsage> thinPool(LvName pool) throws IOException, InterruptedException {
        var name = Grammar.deviceMapperName(pool);
        var layered = usage(state(name + "-tpool"));
        return layered.isPresent() ? layered : usage(state(name));
    }

    @Override
    public List<String> suspended() throws IOException, InterruptedException {
        var names = new ArrayList<String>();
        for (var device : list()) {
            if (state(device.name()).filter(State::suspended).isPresent()) {
                names.add(device.name());
            }
        }
        return List.copyOf(names);
    }

    private static Optional<ThinPoolUsage> usage(Optional<State> state) throws IOException {
        var status =
                state.flatMap(s -> s.targets().stream().findFirst())
                        .filter(target -> target.type().equals("thin-pool"))
                        .map(Target::status);
        try {
            return status.map(ThinPoolUsage::parse);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private <T> T ask(Callable<T> question) throws IOException, InterruptedException {
        var answer = thread.submit(question);
        try {
            return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            answer.cancel(false); // a thread inside the kernel cannot be stopped
            throw new IOException("the device-mapper gave no answer in time", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause
                    ? cause
                    : new IOException("asking the device-mapper", e.getCause());
        }
    }
}
