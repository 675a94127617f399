package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.deploy.Admin;
import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.Programs;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * No value is ignored in silence: it changes what is installed, or the notes name it, or it is
 * refused. Helm shows notes only where there is a cluster.
 */
@Lasts(seconds = 120)
@Timeout(900) // of each method; one calls helm some 170 times
@FullOnly("two minutes of helm; the other tests of the chart see what it renders")
class ChartValuesTests {
    private static final Path VALUES =
            Path.of("tests/conformance/deploy/lvms/deploy/chart/topolvm-values.txt");
    private static final String NOTES = "\nNOTES:\n";

    @TempDir private static Path folder;
    private static ControlPlane plane;
    private static Helm helm;

    /**
     * What a person sees.
     *
     * @param objects the objects, empty if the values are refused
     * @param notes the notes, or why the values are refused
     */
    private record Shown(String objects, String notes) {}

    /**
     * One line of the file.
     *
     * @param key path of a key of TopoLVM's values
     * @param value another value than the default, as JSON
     * @param where values with which it counts; empty if it always does
     */
    private record Value(String key, String value, String where) {
        static Value of(String line) {
            var parts = line.split(" \\| ");
            return new Value(parts[0], parts[1], parts.length > 2 ? parts[2] : "");
        }
    }

    @BeforeAll
    static void start() throws Exception {
        plane = ControlPlane.options(Programs.find(), folder.resolve("plane")).start();
        ForeignTypes.define(new Admin(plane.kubeconfig(), folder), folder);
        helm = new Helm(plane.kubeconfig(), folder);
    }

    @AfterAll
    static void stop() throws Exception {
        if (plane != null) {
            plane.close();
        }
    }

    private static Shown show(String... values) throws Exception {
        var words = new ArrayList<>(List.of(values));
        words.add("--dry-run=client");
        var run = helm.run(Helm.command("install", words.toArray(String[]::new)));
        if (run.code() != 0) {
            return new Shown("", run.output());
        }
        int notes = run.output().indexOf(NOTES);
        var objects = run.output().substring(run.output().indexOf("\nMANIFEST:"), notes);
        return new Shown(withoutChance(objects), run.output().substring(notes));
    }

    /** A certificate is another one each time. */
    private static String withoutChance(String objects) {
        return objects.replaceAll("(ca\\.crt|tls\\.crt|tls\\.key|caBundle): \\S{20,}", "$1: made");
    }

    private static List<Value> values() throws Exception {
        return Files.readAllLines(VALUES).stream()
                .filter(line -> !line.startsWith("#"))
                .map(Value::of)
                .toList();
    }

    @ParameterizedTest(name = "lvmd.managed={0} node.lvmdEmbedded={1}")
    @CsvSource({
        "true, false, ''",
        "false, true, (lvmd[.](?!managed)|node[.]lvmdS|resources[.]lvmd).*",
        "false, false, (lvmd[.](?!managed)|node[.]lvmdS|resources[.]lvmd).*"
    })
    void eachValueOfTopolvmsChartHasAnEffectOrALine(String managed, String embedded, String keys)
            throws Exception {
        var text = "{lvmd: {managed: %s}, node: {lvmdEmbedded: %s}}";
        var file = folder.resolve("kind.yaml"); // what --set says wins over it
        Files.writeString(file, text.formatted(managed, embedded));
        var kind = "--values=" + file;
        var before = new TreeMap<String, Shown>();
        var silent = new ArrayList<String>();
        for (var each : values()) {
            if (!keys.isEmpty() && !each.key().matches(keys)) {
                continue;
            }
            var where = "--set=" + each.where();
            if (!before.containsKey(where)) {
                before.put(where, show(kind, where));
                assertFalse(before.get(where).objects().isEmpty(), before.get(where).notes());
            }
            var after = show(kind, where, "--set-json=" + each.key() + "=" + each.value());
            if (after.objects().equals(before.get(where).objects()) && !named(each, after)) {
                silent.add(each.key());
            }
        }
        assertEquals(List.of(), silent);
    }

    /** A line names the value, or all of what it is a part of. */
    private static boolean named(Value value, Shown shown) {
        return shown.notes()
                .lines()
                .filter(line -> line.startsWith("  ") && line.contains(":"))
                .map(line -> line.substring(2, line.indexOf(':')))
                .anyMatch(path -> (value.key() + ".").startsWith(path + "."));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "lvmd.socketName=/run/a.sock | lvmd.socketName: lvmd is in the agents",
                "lvmd.metrics.enabled=false | lvmd.metrics: the agents have one page for metrics",
                "lvmd.priorityClassName=a,node.priorityClassName=b | lvmd.priorityClassName: the"
                        + " agents have that of node.priorityClassName",
                "lvmd.args={--config=X} | lvmd.args: --config, --container and",
                "controller.leaderElection.enabled=false | controller.leaderElection.enabled is"
                        + " false with 2 replicas",
                "lvmd.managed=false,lvmd.args={--v=2} | lvmd.args: lvmd.managed is false",
                "lvms.guard.enabled=false | lvms: with mode topolvm",
                "mode=lvms,nameOverride=a | nameOverride: with mode lvms",
                "mode=lvms,node.args={--v=2} | node: with mode lvms",
                "mode=lvms | label namespace topolvm-system pod-security.kubernetes.io/enforce",
                "mode=topolvm | label namespace topolvm-system pod-security.kubernetes.io/enforce",
            })
    void theNotesSayWhatHasNoEffect(String values, String line) throws Exception {
        var notes = show("--set=" + values).notes();
        assertTrue(notes.contains(line), notes);
    }

    @Test
    void aUsualReleaseHasNoSuchLines() throws Exception {
        for (var mode : List.of("topolvm", "lvms")) {
            var notes = show("--set=mode=" + mode).notes();
            assertFalse(notes.contains("without effect"), notes);
            assertFalse(notes.contains("to look at"), notes);
            assertNotEquals("", notes);
        }
    }

    /** Each node goes by its own file, so a claim gets another kind of volume on another node. */
    @Test
    void filesThatDisagreeAreNamed() throws Exception {
        var notes =
                show("--set-json=lvmd={\"deviceClasses\":["
                         + "{\"name\":\"a\",\"volume-group\":\"g\",\"default\":true}],"
                         + "\"additionalConfigs\":[{\"deviceClasses\":["
                         + "{\"name\":\"b\",\"volume-group\":\"g\",\"default\":true},"
                         + "{\"name\":\"a\",\"volume-group\":\"h\",\"type\":\"thin\",\"thin-pool\":"
                         + "{\"name\":\"p\",\"overprovision-ratio\":5}}]}]}")
                        .notes();
        assertTrue(notes.contains("the default device class is a but b"), notes);
        assertTrue(notes.contains("device class a is thick but thin"), notes);
    }
}
