package lvms.node.deviceclass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.DiscoveryPolicy;
import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;
import lvms.api.SizePolicy;
import lvms.api.ThinPoolConfig;
import lvms.api.ThinPoolConfig.Trim;
import lvms.api.VolumeGroupTemplate;
import lvms.api.listing.GroupListing;
import lvms.api.listing.GroupNames;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.Json;
import lvms.k8s.yaml.Yaml;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.deviceclass.NodeDeviceClass.Striping;
import lvms.node.vgmanager.plan.Situations;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** lvmd.yaml is what TopoLVM and LVMS would write, and what a person edited in it stays. */
class LvmdConfigTests {
    private static VolumeGroupGoal thin(int ratio, boolean isDefault) {
        var pool =
                new ThinPoolConfig(
                        "pool",
                        90,
                        ratio,
                        SizePolicy.HOST,
                        Optional.empty(),
                        SizePolicy.HOST,
                        Optional.empty(),
                        80,
                        OptionalInt.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        return new VolumeGroupGoal(
                GroupNames.of("vg1"),
                isDefault,
                new VolumeGroupTemplate(
                        Optional.of(DiscoveryPolicy.STATIC),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(pool),
                        Optional.empty(),
                        Optional.empty()),
                GroupListing.NONE);
    }

    @Test
    void writesEveryKeyOfAThinClass() {
        var written = LvmdConfig.empty().with(thin(10, true)).text();
        assertEquals(
                Json.parse(
                        """
                        {"device-classes": [{
                           "default": true, "lvcreate-options": null, "name": "vg1",
                           "spare-gb": null, "stripe": null, "stripe-size": "",
                           "thin-pool": {"name": "pool", "overprovision-ratio": 10},
                           "type": "thin", "volume-group": "vg1",
                           "zero-volumes": "block"}],
                         "lvcreate-option-classes": null, "lvm-command-prefix": null,
                         "socket-name": ""}
                        """),
                Yaml.read(written));
        assertTrue(written.startsWith("device-classes:"), written);
    }

    @Test
    void aThickClassKeepsNothingBack() {
        var config = LvmdConfig.parse(LvmdConfig.empty().with(Situations.THICK).text());
        var found = config.read().classes().find("vg1").orElseThrow();
        assertEquals(new Provisioning.Thick(), found.provisioning());
        assertEquals(0, found.spareBytes());
    }

    private static VolumeGroupGoal listed(String fields) {
        return new VolumeGroupGoal(
                new GroupNames("n1-vg1", "vg1", "data"),
                false,
                Situations.THICK.group(),
                GroupListing.of(Json.parse(fields).asObject()));
    }

    @Test
    void aListedClassHasItsOwnGroupItsSpareAndItsStripes() {
        var goal = listed("{\"spareGb\": 5, \"stripe\": 2, \"stripeSize\": \"64k\"}");
        var found = LvmdConfig.empty().with(goal).read().classes().find("vg1").orElseThrow();
        assertEquals("data", found.volumeGroup());
        assertEquals(5L << 30, found.spareBytes());
        assertEquals(Optional.of(new Striping(2, Optional.of("64k"))), found.striping());
    }

    /** The object has the say about all three as soon as it says what is kept free. */
    @Test
    void whatAListedClassNoLongerSaysIsNoLongerInForce() {
        var config = LvmdConfig.parse(EDITED).with(listed("{\"spareGb\": 0}"));
        var found = config.read().classes().find("vg1").orElseThrow();
        assertEquals(0, found.spareBytes());
        assertEquals(Optional.empty(), found.striping());
    }

    @Test
    void writesTheOptionsOfARaidClass() {
        var found =
                LvmdConfig.parse(LvmdConfig.empty().with(Situations.RAID1).text())
                        .read()
                        .classes()
                        .find("vg1")
                        .orElseThrow();
        assertEquals(List.of("--type", "raid1", "-m", "1"), found.lvcreateOptions());
        assertEquals(Optional.of(new RaidShape(2, 1)), found.raid());
    }

    /** A class of a TopolvmCluster; what it said of stripes before is not for RAID volumes. */
    @Test
    void aListedClassWithRaidHasItsSpareAndNoOtherStripes() {
        var striped = LvmdConfig.empty().with(listed("{\"spareGb\": 5, \"stripe\": 2}"));
        var plain = listed("{\"spareGb\": 10}");
        var goal =
                new VolumeGroupGoal(
                        plain.names(), false, Situations.RAID1.group(), plain.listing());
        var found = striped.with(goal).read().classes().find("vg1").orElseThrow();
        assertEquals(List.of("--type", "raid1", "-m", "1"), found.lvcreateOptions());
        assertEquals(Optional.of(new RaidShape(2, 1)), found.raid());
        assertEquals(Optional.empty(), found.striping());
        assertEquals(10L << 30, found.spareBytes());
    }

    private static final String EDITED =
            """
            socket-name: /run/mine.sock
            lvm-command-prefix: [/sbin/lvm]
            device-classes:
            - name: vg1
              volume-group: vg1
              default: false
              spare-gb: 3
              stripe: 2
              stripe-size: 64k
              type: thin
              thin-pool:
                name: pool
                overprovision-ratio: 5.5
            - name: other
              volume-group: vg9
              Type: thick
            lvcreate-option-classes:
            - name: ssd
              options: [--type=raid1]
            """;

    @Test
    void keepsWhatAPersonEdited() {
        var config = LvmdConfig.parse(LvmdConfig.parse(EDITED).with(thin(3, true)).text());
        var tree = Yaml.read(config.text()).asObject();
        assertEquals("/run/mine.sock", tree.at("socket-name").asText());
        assertEquals("/sbin/lvm", tree.list("lvm-command-prefix").at(0).asText());
        var classes = config.read().classes();
        var vg1 = classes.find("vg1").orElseThrow();
        assertEquals(Optional.of(new Striping(2, Optional.of("64k"))), vg1.striping());
        assertEquals(new Provisioning.Thin("pool", 3), vg1.provisioning());
        assertTrue(vg1.isDefault());
        assertEquals(Map.of("ssd", List.of("--type=raid1")), classes.lvcreateOptionClasses());
        assertEquals(10L << 30, classes.find("other").orElseThrow().spareBytes());
    }

    @Test
    void isTheSameIfNothingChanged() {
        var config = LvmdConfig.empty().with(thin(10, false));
        assertEquals(config, LvmdConfig.parse(config.text()).with(thin(10, false)));
        assertFalse(config.equals(config.with(thin(11, false))));
    }

    @Test
    void takesOneClassOut() {
        var config = LvmdConfig.parse(EDITED).without("vg1");
        assertFalse(config.has("vg1"));
        assertTrue(config.hasClasses());
        assertFalse(config.without("other").hasClasses());
    }

    @Test
    void anEntryThatMakesNoSenseStopsNoOther() {
        var reading =
                LvmdConfig.parse(
                                """
                                device-classes:
                                - {name: a, volume-group: a, type: thin}
                                - {name: b, volume-group: b, type: fat}
                                - {name: c, volume-group: c, stripe: 2, stripe-size: big}
                                - {name: d, volume-group: d, default: true}
                                - {name: d, volume-group: d2}
                                - {name: e, volume-group: e, default: true}
                                - {volume-group: f}
                                """)
                        .read();
        assertEquals(
                List.of("d", "e"),
                reading.classes().classes().stream().map(NodeDeviceClass::name).toList());
        assertEquals("d", reading.classes().find("").orElseThrow().name());
        assertEquals(6, reading.problems().size(), reading.problems()::toString);
    }

    @Test
    void anEmptyFileHasNoClasses() {
        assertFalse(LvmdConfig.parse("").hasClasses());
    }

    private static final String THIN =
            """
            device-classes:
            - name: a
              volume-group: vg1
              type: thin
              thin-pool:
                name: pool
                overprovision-ratio: 2
            """;

    private static Optional<Trim> trim(String keys) {
        var reading = LvmdConfig.parse(THIN + keys).read();
        assertEquals(List.of(), reading.problems());
        return reading.classes().classes().getFirst().thin().orElseThrow().trim();
    }

    @Test
    void trimsOnlyWhatAKeyOfTheFileAsksFor() {
        assertEquals(Optional.empty(), trim(""));
        var usual = trim("    trim: {}\n").orElseThrow();
        assertEquals(Duration.ofDays(7), usual.effectiveInterval());
        assertEquals(1L << 30, usual.effectiveRateBytes());
        var asked = trim("    trim: {interval-hours: 24, rate: 200Mi}\n").orElseThrow();
        assertEquals(Duration.ofDays(1), asked.effectiveInterval());
        assertEquals(200L << 20, asked.effectiveRateBytes());
        assertEquals(List.of(), LvmdConfig.parse(THIN + "    trim: {rate: 1Gi}\n").unknownKeys());
    }

    @ParameterizedTest
    @ValueSource(strings = {"daily", "{interval-hours: 0}", "{interval-hours: 1.5}", "{rate: 1k}"})
    void aTrimThatMakesNoSenseIsAProblemOfItsClass(String value) {
        var reading = LvmdConfig.parse(THIN + "    trim: " + value + "\n").read();
        assertEquals(List.of(), reading.classes().classes());
        assertEquals(1, reading.problems().size(), reading.problems()::toString);
    }

    @Test
    void aKeyOfTrimThatNobodyKnowsIsNamed() {
        assertEquals(
                List.of("device-classes[a].thin-pool.trim.intervalhours"),
                LvmdConfig.parse(THIN + "    trim: {intervalHours: 3}\n").unknownKeys());
    }

    @Test
    void erasesOnlyWhatAKeyOfTheFileAsksFor() {
        var entry =
                """
                device-classes:
                - name: a
                  volume-group: vg1
                """;
        assertEquals(ErasurePolicy.NOTHING, erasure(entry));
        var asked =
                new ErasurePolicy(ZeroVolumes.ALL, OnRemoval.ZERO, Quantity.parse("1Mi").bytes());
        var keys = "  zero-volumes: all\n  erase-on-removal: zero\n  erase-rate: 1Mi\n";
        assertEquals(asked, erasure(entry + keys));
        var wrong = LvmdConfig.parse(entry + "  zero-volumes: sometimes\n").read();
        assertTrue(wrong.problems().toString().contains("zero-volumes is none, block or all"));
    }

    private static ErasurePolicy erasure(String yaml) {
        return LvmdConfig.parse(yaml).read().classes().classes().getFirst().erasure();
    }
}
