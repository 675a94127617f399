package lvms.tests.runner;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs test classes and reports like a person would want to read it: one line for each class, the
 * failures in full, each skip with its reason, and the sums last.
 *
 * <p>Arguments: a file with a line {@code layer class} for each test class, then parts of class
 * names; with parts given, only the classes that contain one of them run.
 */
public final class Runner {
    private Runner() {}

    /** Exits with 1 if a test failed or a class held none. */
    public static void main(String[] args) throws IOException {
        var report = new Report();
        var launcher = LauncherFactory.create();
        launcher.registerTestExecutionListeners(report);
        for (var line : Files.readAllLines(Path.of(args[0]))) {
            var layerAndClass = line.split(" ", 2);
            var obstacle = System.getProperty("lvms.skip." + layerAndClass[0], "");
            if (!obstacle.isEmpty()) {
                report.skipClass(layerAndClass[0], obstacle);
                continue;
            }
            report.startClass(layerAndClass[0], layerAndClass[1]);
            launcher.execute(
                    LauncherDiscoveryRequestBuilder.request()
                            .selectors(selectClass(layerAndClass[1]))
                            .build());
            report.endClass();
        }
        System.exit(report.summarize() ? 0 : 1);
    }
}
