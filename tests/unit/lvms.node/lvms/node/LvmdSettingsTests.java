package lvms.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.deviceclass.NodeDeviceClass.Striping;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** lvmd.yaml means what it means to TopoLVM; what is wrong in it is told in one line. */
class LvmdSettingsTests {
    @TempDir Path folder;

    private LvmdSettings read(String yaml) throws Exception {
        var file = folder.resolve("lvmd.yaml");
        Files.writeString(file, yaml);
        return LvmdSettings.read(file);
    }

    private NodeDeviceClass only(String entry) throws Exception {
        return read("device-classes: [" + entry + "]").classes().classes().getFirst();
    }

    private String refusal(String yaml) {
        var failure = assertThrows(LvmdConfigException.class, () -> read(yaml));
        assertEquals(1, failure.getMessage().lines().count(), failure.getMessage());
        assertTrue(failure.getMessage().startsWith(folder + "/lvmd.yaml"), failure.getMessage());
        return failure.getMessage();
    }

    @Test
    void readsTheSampleOfTopolvm() throws Exception {
        var settings =
                read(
                        """
                        socket-name: /run/topolvm/lvmd.sock
                        device-classes:
                          - name: ssd
                            volume-group: myvg1
                            default: true
                            spare-gb: 10
                          - name: ssd-thin
                            volume-group: myvg1
                            type: thin
                            thin-pool:
                              name: thinpool
                              overprovision-ratio: 10.0
                          - name: striped
                            volume-group: multi-pv-vg
                            spare-gb: 0
                            stripe: 2
                            stripe-size: "64"
                          - name: raid
                            volume-group: raid-vg
                            lvcreate-options:
                              - --type=raid1
                        lvcreate-option-classes:
                          - name: ssd
                            options:
                              - --type=raid1
                        """);
        var classes = settings.classes();
        assertEquals(LvmdSettings.SOCKET, settings.socket());
        assertEquals(List.of(), settings.commandPrefix());
        assertEquals(List.of(), settings.remarks());
        assertEquals("ssd", classes.find("").orElseThrow().name());
        assertEquals(
                new Provisioning.Thin("thinpool", 10),
                classes.find("ssd-thin").orElseThrow().provisioning());
        assertEquals(
                Optional.of(new Striping(2, Optional.of("64"))),
                classes.find("striped").orElseThrow().striping());
        assertEquals(List.of("--type=raid1"), classes.find("raid").orElseThrow().lvcreateOptions());
        assertEquals(Map.of("ssd", List.of("--type=raid1")), classes.lvcreateOptionClasses());
    }

    @Test
    void fillsInTopolvmsDefaults() throws Exception {
        var settings = read("device-classes: [{name: a, volume-group: vg}]");
        var found = settings.classes().classes().getFirst();
        assertEquals(Path.of("/run/topolvm/lvmd.sock"), settings.socket());
        assertEquals(new Provisioning.Thick(), found.provisioning());
        assertEquals(10L << 30, found.spareBytes());
        assertEquals(Optional.empty(), found.striping());
        assertFalse(found.isDefault());
        assertEquals(Optional.empty(), settings.classes().find(""), "no default class");
    }

    @Test
    void keysMatchWhateverTheirCase() throws Exception {
        var found = only("{Name: a, VOLUME-GROUP: vg, Spare-GB: 1}");
        assertEquals(1L << 30, found.spareBytes());
    }

    @Test
    void aThinClassHasASpareTooWhichOnlyGetFreeBytesCounts() throws Exception {
        var pool = "thin-pool: {name: p, overprovision-ratio: 1}";
        assertEquals(
                10L << 30,
                only("{name: a, volume-group: v, type: thin, " + pool + "}").spareBytes());
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "{name: a.b_c-d9, volume-group: vg}",
                "{name: a, volume-group: vg, spare-gb: 0}",
                "{name: a, volume-group: vg, spare-gb: null, stripe: null}",
                "{name: a, volume-group: vg, stripe: 0, stripe-size: 4K}",
                "{name: a, volume-group: vg, stripe: 128, stripe-size: 64k}",
                "{name: a, volume-group: vg, type: thick, thin-pool: {name: unused}}",
                "{name: a, volume-group: vg, lvcreate-options: []}",
                "{name: a, volume-group: vg}, {name: b, volume-group: vg, type: thin,"
                        + " thin-pool: {name: p, overprovision-ratio: 1}}",
                "{name: a, volume-group: vg, thin-pool: {name: p}}, {name: b, volume-group: vg,"
                        + " type: thin, thin-pool: {name: p, overprovision-ratio: 1}}",
                "{name: a, volume-group: vg, type: thin, thin-pool: {name: p,"
                        + " overprovision-ratio: 1}}, {name: b, volume-group: vg, type: thin,"
                        + " thin-pool: {name: q, overprovision-ratio: 2.5}}",
            })
    void takesWhatTopolvmTakes(String classes) throws Exception {
        assertFalse(read("device-classes: [" + classes + "]").classes().classes().isEmpty());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{volume-group: vg} | the name must have 1 to 63",
                "{name: '', volume-group: vg} | the name must have 1 to 63",
                "{name: -a, volume-group: vg} | the name must have 1 to 63",
                "{name: a-, volume-group: vg} | the name must have 1 to 63",
                "{name: a/b, volume-group: vg} | the name must have 1 to 63",
                "{name: a} | volume-group is not set",
                "{name: a, volume-group: -vg} | not a volume group name",
                "{name: a, volume-group: v}, {name: a, volume-group: w} | listed twice",
                "{name: a, volume-group: v, default: true}, {name: b, volume-group: w,"
                        + " default: true} | a is the default already",
                "{name: a, volume-group: v, default: maybe} | default must be true or false",
                "{name: a, volume-group: v}, {name: b, volume-group: v} | device class b: volume"
                        + " group v belongs to device class a; use that class, with an"
                        + " lvcreate-option-class where stripes or options differ",
                "{name: a, volume-group: v, stripe: 2}, {name: b, volume-group: v,"
                        + " lvcreate-options: [--type=raid1]} | device class b: volume group v"
                        + " belongs to device class a; use that class, with an"
                        + " lvcreate-option-class",
                "{name: a, volume-group: v, spare-gb: -1} | spare-gb must not be negative",
                "{name: a, volume-group: v, spare-gb: 0.5} | spare-gb must be a whole number of"
                        + " GiB",
                "{name: a, volume-group: v, spare-gb: 99999999999} | spare-gb must be a whole"
                        + " number of GiB",
                "{name: a, volume-group: v, spare-gb: many} | spare-gb must be a number",
                "{name: a, volume-group: v, stripe: -1} | stripe must be a whole number from 0 to"
                        + " 128",
                "{name: a, volume-group: v, stripe: 1.5} | stripe must be a whole number from 0 to"
                        + " 128",
                "{name: a, volume-group: v, stripe: 129} | stripe must be a whole number from 0 to"
                        + " 128",
                "{name: a, volume-group: v, stripe-size: 4kk} | stripe-size must be a number",
                "{name: a, volume-group: v, type: fat} | type must be thick or thin",
                "{name: a, volume-group: v, type: thin} | thin-pool is not set",
                "{name: a, volume-group: v, type: thin, thin-pool: {overprovision-ratio: 2}} |"
                        + " thin-pool: name is not set",
                "{name: a, volume-group: v, type: thin, thin-pool: {name: p}} | thin-pool:"
                        + " overprovision-ratio is not set",
                "{name: a, volume-group: v, type: thin, thin-pool: {name: p,"
                        + " overprovision-ratio: 0.5}} | overprovision ratio is below 1",
                "{name: a, volume-group: v, type: thin, thin-pool: {name: p,"
                        + " overprovision-ratio: 1}}, {name: b, volume-group: v, type: thin,"
                        + " thin-pool: {name: p, overprovision-ratio: 2}} | device class b: thin"
                        + " pool v/p belongs to device class a; use that class, or give this one"
                        + " a thin pool of its own",
                "{name: a, volume-group: v, lvcreate-options: --type raid1} | lvcreate-options:"
                        + " expected a list",
                "a | device-classes: expected a mapping for each class, found \"a\"",
            })
    void refusesInOneLineWhatMakesNoSense(String classes, String expected) {
        var message = refusal("device-classes: [" + classes + "]");
        assertTrue(message.contains(expected), message);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | device-classes is empty",
                "device-classes: [] | device-classes is empty",
                "device-classes: {name: a} | device-classes: expected a list",
                "[] | line 1: expected a mapping with device-classes, found a list",
                "'# ours\n\nthick' | line 3: expected a mapping with device-classes, found a text",
                "device-classes: [ | cannot be read: line 1",
                "{lvm-command-prefix: nsenter lvm, device-classes: [{name: a, volume-group: v}]} |"
                        + " lvm-command-prefix: expected a list",
                "{lvcreate-option-classes: [a], device-classes: [{name: a, volume-group: v}]} |"
                        + " lvcreate-option-classes: expected a mapping for each class",
            })
    void refusesAFileOfAnotherShape(String yaml, String expected) {
        var message = refusal(yaml);
        assertTrue(message.contains(expected), message);
    }

    @Test
    void saysWhereToWriteAFileThatIsMissing() {
        var failure =
                assertThrows(
                        LvmdConfigException.class,
                        () -> LvmdSettings.read(folder.resolve("none.yaml")));
        assertTrue(failure.getMessage().contains("does not exist: write"), failure.getMessage());
    }

    @Test
    void namesEveryProblemAtOnce() {
        var message = refusal("device-classes: [{name: a}, {name: b, volume-group: v, type: x}]");
        assertTrue(message.contains("\"a\"") && message.contains("\"b\""), message);
    }

    @Test
    void passesOverWhatTopolvmPassesOverAndSaysSo() throws Exception {
        var settings =
                read(
                        """
                        spare: 3
                        device-classes: [{name: a, volume-group: v, volumegroup: w}]
                        """);
        assertEquals(
                List.of("unknown key spare", "unknown key device-classes[a].volumegroup"),
                settings.remarks());
    }

    /** TopoLVM checks no option, so a file that it served must not end the node service. */
    @Test
    void aClassWithAnOptionThatIsRefusedIsServedWithoutNewVolumes() throws Exception {
        var settings =
                read(
                        """
                        device-classes:
                          - {name: a, volume-group: v, lvcreate-options: [--config=x]}
                          - {name: b, volume-group: w, lvcreate-options: [--type raid1]}
                          - {name: c, volume-group: x, stripe: 2, stripe-size: k}
                          - {name: d, volume-group: y, lvcreate-options: [--type=raid1]}
                        lvcreate-option-classes:
                          - {name: bad, options: ["-Zn"]}
                          - {name: good, options: ["--type=raid1"]}
                        """);
        assertEquals(List.of(), settings.remarks());
        assertEquals(4, settings.classes().classes().size());
        assertEquals(
                List.of(
                        "device class \"a\" gets no new volumes: lvcreate option is not allowed:"
                                + " --config=x",
                        "device class \"b\" gets no new volumes: not a word of a command line"
                                + " (printable ASCII, no blanks, no quotes): \"--type raid1\"",
                        "device class \"c\" gets no new volumes: not a stripe size: k",
                        "lvcreate option class \"bad\" gets no new volumes: lvcreate option would"
                                + " leave old content in a new volume, only y is allowed: -Z"),
                settings.classes().refusals());
    }

    /** The socket means nothing to a node service with lvmd in it. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"lvmd.sock", "LONG"})
    void onlyAnLvmdNeedsASocketThatCanBeServed(String name) throws Exception {
        var socket = name.replace("LONG", "/run/" + "x".repeat(200));
        var classes = read("device-classes: [{name: a, volume-group: v}]").classes();
        var yaml = "{socket-name: %s, device-classes: [{name: a, volume-group: v}]}";
        assertEquals(classes, read(yaml.formatted(socket)).classes());
        var failure =
                assertThrows(
                        LvmdConfigException.class,
                        () -> LvmdSettings.readServed(folder.resolve("lvmd.yaml")));
        assertEquals(
                folder
                        + "/lvmd.yaml: socket-name must be an absolute path of at most 107 bytes,"
                        + " not "
                        + socket,
                failure.getMessage());
    }

    @Test
    void anotherSocketOrPrefixNeedsAnotherServer() throws Exception {
        var classes = "device-classes: [{name: a, volume-group: v}]\n";
        var one = read(classes);
        assertTrue(one.servedLike(read("device-classes: [{name: b, volume-group: v}]")));
        assertFalse(one.servedLike(read("socket-name: /tmp/l.sock\n" + classes)));
        assertFalse(one.servedLike(read("lvm-command-prefix: [/sbin/lvm]\n" + classes)));
    }
}
