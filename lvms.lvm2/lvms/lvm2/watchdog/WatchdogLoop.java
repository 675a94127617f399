package lvms.lvm2.watchdog;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What the watchdog does. It reads lines from its input:
 *
 * <ul>
 *   <li>{@code begun 0 FILE}: a change begins that this file notes; {@code begun MILLIS FILE}: it
 *       holds I/O, for so long at most, and the line is answered by {@code ok}
 *   <li>{@code ended FILE}: it has ended
 *   <li>{@code quit}: the watchdog ends and does nothing more
 * </ul>
 *
 * <p>When its input ends, the process that wrote the lines is dead: each change that has not ended
 * is handed to the rescue, and so is one that holds I/O for longer than was agreed. Each has a
 * thread of its own, since one that hangs in the kernel must not keep the others waiting.
 */
public final class WatchdogLoop {
    static final String BEGUN = "begun";
    static final String ENDED = "ended";
    static final String QUIT = "quit";
    static final String OK = "ok";

    private static final System.Logger LOG = System.getLogger(WatchdogLoop.class.getName());

    /** What the reader puts in the place of a line when there are no more. */
    private static final String END = "";

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final InputStream in;
    private final OutputStream out;
    private final Consumer<Path> rescue;

    /** Files of changes, with the time at which their I/O has to go on. */
    private final Map<Path, Optional<Long>> running = new LinkedHashMap<>();

    private final List<Thread> rescues = new ArrayList<>();

    /**
     * Prepares it.
     *
     * @param rescue lets the I/O go on that a change holds
     */
    public WatchdogLoop(InputStream in, OutputStream out, Consumer<Path> rescue) {
        this.in = in;
        this.out = out;
        this.rescue = rescue;
    }

    /** Returns once its input has ended, and all is done that follows from that. */
    public void run() throws InterruptedException {
        Thread.ofPlatform().daemon().name("lines").start(this::read);
        while (true) {
            var line = lines.poll(nanosToWait(), TimeUnit.NANOSECONDS);
            if (line == null) {
                overdue();
            } else if (line.equals(QUIT)) {
                return;
            } else if (line.equals(END)) {
                running.keySet().forEach(this::begin);
                for (var thread : rescues) {
                    thread.join();
                }
                return;
            } else {
                take(line.split(" ", 3));
            }
        }
    }

    private void read() {
        try (var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            reader.lines().filter(line -> !line.isEmpty()).forEach(lines::add);
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.DEBUG, () -> "the lines have ended: " + e);
        } finally {
            lines.add(END);
        }
    }

    /** A line that was cut, since its writer was killed in it, says nothing. */
    private void take(String[] words) {
        if (words.length == 3 && words[0].equals(BEGUN) && words[1].matches("[0-9]{1,9}")) {
            long millis = Long.parseLong(words[1]);
            var end = Optional.<Long>empty();
            if (millis > 0) {
                end = Optional.of(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
                answer();
            }
            running.put(Path.of(words[2]), end);
        } else if (words.length == 2 && words[0].equals(ENDED)) {
            running.remove(Path.of(words[1]));
        }
    }

    private void answer() {
        try {
            out.write((OK + '\n').getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "the answer has no reader: " + e);
        }
    }

    private long nanosToWait() {
        long now = System.nanoTime();
        return running.values().stream()
                .flatMap(Optional::stream)
                .mapToLong(end -> end - now)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private void overdue() {
        long now = System.nanoTime();
        var late =
                running.keySet().stream()
                        .filter(note -> running.get(note).filter(end -> end - now <= 0).isPresent())
                        .toList();
        late.forEach(running::remove);
        late.forEach(this::begin);
    }

    private void begin(Path note) {
        rescues.add(Thread.ofPlatform().name("rescue").start(() -> rescue.accept(note)));
    }
}
