package lvms.tests.runner;

import java.io.IOException;
import java.nio.file.Path;

/** Threads of another JVM that take what they can of the CPUs, as other work on a machine does. */
final class BusyLoops implements AutoCloseable {
    private final Process process;

    private BusyLoops(Process process) {
        this.process = process;
    }

    /** Starts so many; they end when this JVM does, whatever way that ends. */
    static BusyLoops start(int count) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        var classPath = System.getProperty("java.class.path");
        return new BusyLoops(
                new ProcessBuilder(
                                java,
                                "-XX:+UseSerialGC",
                                "-Xmx16m",
                                "-cp",
                                classPath,
                                BusyLoops.class.getName(),
                                "" + count)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start());
    }

    /** What runs in the other JVM. Argument: how many. */
    public static void main(String[] args) throws IOException {
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            Thread.ofPlatform().daemon().start(BusyLoops::spin);
        }
        while (System.in.read() >= 0) {} // the end of the pipe is the end of the other JVM
        System.exit(0);
    }

    private static void spin() {
        while (true) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
