package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;

import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.tests.server.Definitions;
import lvms.tests.server.DependsOnVersion;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A server takes the shipped definitions without a murmur, and they say what is wrong and why. */
@DependsOnVersion("an old server knows fewer functions in rules and counts their cost otherwise")
class ShippedDefinitionTests {
    private static final String DEFINITIONS =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    private static final String THIN = "'thinPoolConfig':{'name':'tp','overprovisionRatio':10%s}";

    @TempDir private static Path directory;
    private static ApiServer server;
    private static Client client;
    private String namespace;

    @BeforeAll
    static void start() throws Exception {
        server = Servers.start();
        client = Client.of(server);
        for (var name : all()) {
            apply(name);
        }
        for (var type :
                List.of("lvm.topolvm.io/v1alpha1/lvmclusters", "topolvm.io/v1/logicalvolumes")) {
            Client.await(() -> client.get("/apis/" + type).code() == 200);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void freshNamespace() {
        namespace = client.namespace();
    }

    static List<String> all() {
        return Stream.concat(Definitions.ALL.stream(), Definitions.NATIVESTOR.stream()).toList();
    }

    private static Client.Reply apply(String name) throws Exception {
        var definition = Yaml.read(Files.readString(file(name))).asObject();
        var path = DEFINITIONS + definitionName(definition) + "?fieldValidation=Strict";
        return client.apply(path, "suite", true, definition.toString().replace("'", "\\u0027"));
    }

    private static Path file(String name) {
        return Definitions.file(name);
    }

    private static String definitionName(ObjectTree definition) {
        return definition.text("metadata", "name").orElseThrow();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("all")
    void aDefinitionIsTakenWithoutAWarningAndEstablished(String name) throws Exception {
        var reply = apply(name);
        assertEquals(200, reply.code(), reply.toString());
        assertEquals(List.of(), reply.warnings());
        var path = DEFINITIONS + reply.text("metadata", "name");
        Client.await(() -> condition(path, "Established").equals("True"));
        assertEquals("True", condition(path, "NamesAccepted"));
        assertEquals("", condition(path, "NonStructuralSchema"));
    }

    private static String condition(String path, String type) {
        for (JsonElement element :
                client.get(path).body().getAsJsonObject("status").getAsJsonArray("conditions")) {
            var condition = element.getAsJsonObject();
            if (condition.get("type").getAsString().equals(type)) {
                return condition.get("status").getAsString();
            }
        }
        return "";
    }

    @Test
    void kubectlAppliesThemWithoutAWord() throws Exception {
        Assumptions.assumeTrue(Kubectl.onPath(), "kubectl is not on the path");
        var kubectl = new Kubectl(server, directory);
        var said =
                kubectl.succeed(
                        "apply", "--server-side", "--force-conflicts", "-f", "deploy/base/crds");
        assertEquals(Definitions.ALL.size(), said.lines().count(), said);
        assertTrue(said.lines().allMatch(line -> line.endsWith(" serverside-applied")), said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lvmcluster", "lvmcluster-every-free-disk", "thick", "several", "raid"})
    void aSampleIsTakenAsItStands(String sample) throws Exception {
        var object = Yaml.read(Files.readString(Path.of("deploy/samples/" + sample + ".yaml")));
        var anywhere = object.asObject().without("metadata", "namespace").toString();
        var reply = client.post(path("lvmclusters") + "?fieldValidation=Strict", anywhere);
        assertEquals(201, reply.code(), reply.toString());
        assertEquals(List.of(), reply.warnings());
    }

    private String path(String plural) {
        return "/apis/lvm.topolvm.io/v1alpha1/namespaces/" + namespace + "/" + plural;
    }

    private Client.Reply group(String spec) {
        return client.post(
                path("lvmvolumegroups"),
                "{'apiVersion':'lvm.topolvm.io/v1alpha1','kind':'LVMVolumeGroup',"
                        + "'metadata':{'name':'vg1'},'spec':{"
                        + spec
                        + "}}");
    }

    private Client.Reply cluster(String deviceClasses) {
        return client.post(
                path("lvmclusters"),
                "{'apiVersion':'lvm.topolvm.io/v1alpha1','kind':'LVMCluster',"
                        + "'metadata':{'name':'my'},'spec':{'storage':{'deviceClasses':["
                        + deviceClasses
                        + "]}}}");
    }

    private static String name(String fields) {
        return "{'name':'vg1'" + (fields.isEmpty() ? "" : "," + fields) + "}";
    }

    private static void assertRefused(Client.Reply reply, String field, String message) {
        assertEquals(422, reply.code(), reply.toString());
        for (JsonElement element :
                reply.body().getAsJsonObject("details").getAsJsonArray("causes")) {
            var cause = element.getAsJsonObject();
            if (cause.get("field").getAsString().equals(field)
                    && cause.get("message").getAsString().contains(message)) {
                return;
            }
        }
        throw new AssertionError(reply.text("message") + " lacks " + field + ": " + message);
    }

    @ParameterizedTest(name = "{1}: {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'name':'Vg1'}|name|in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'",
                "{'name':''}|name|in body should be at least 1 chars long",
                "{'default':true}|name|Required value",
                "{'name':'a','fstype':'btrfs'}|fstype|Unsupported value: \"btrfs\"",
                "{'name':'a','deviceDiscoveryPolicy':'No'}|deviceDiscoveryPolicy|Unsupported value",
                "{'name':'a','thinPoolConfig':{'overprovisionRatio':1}}|thinPoolConfig.name|Required",
                "{'name':'a','thinPoolConfig':{'name':'t'}}|thinPoolConfig.overprovisionRatio|Required",
                "{'name':'a','thinPoolConfig':{'name':'t','overprovisionRatio':0}}"
                        + "|thinPoolConfig.overprovisionRatio|greater than or equal to 1",
                "{'name':'a','thinPoolConfig':{'name':'t','overprovisionRatio':101}}"
                        + "|thinPoolConfig.overprovisionRatio|less than or equal to 100",
                "{'name':'a','thinPoolConfig':{'name':'t','overprovisionRatio':1,'sizePercent':9}}"
                        + "|thinPoolConfig.sizePercent|greater than or equal to 10",
                "{'name':'a','thinPoolConfig':{'name':'t','overprovisionRatio':1,'sizePercent':101}}|thinPoolConfig.sizePercent|less"
                    + " than or equal to 100",
                "{'name':'a','thinPoolConfig':{'name':'t','overprovisionRatio':1,'chunkSize':'x'}}"
                        + "|thinPoolConfig.chunkSize|in body should match",
                "{'name':'a','thinPoolConfig':{'name':'t','overprovisionRatio':1,'metadataSize':'x'}}|thinPoolConfig.metadataSize|in"
                    + " body should match",
                "{'name':'a','thinPoolConfig':{'name':'t','overprovisionRatio':1,"
                        + "'chunkSizeCalculationPolicy':'x'}}"
                        + "|thinPoolConfig.chunkSizeCalculationPolicy|Unsupported value",
                "{'name':'a','raidConfig':{}}|raidConfig.type|Required value",
                "{'name':'a','raidConfig':{'type':'raid0'}}|raidConfig.type|Unsupported value",
                "{'name':'a','raidConfig':{'type':'raid1','mirrors':0}}"
                        + "|raidConfig.mirrors|greater than or equal to 1",
                "{'name':'a','raidConfig':{'type':'raid5','stripes':1}}"
                        + "|raidConfig.stripes|greater than or equal to 2",
                "{'name':'a','storageClassOptions':{'reclaimPolicy':'Recycle'}}"
                        + "|storageClassOptions.reclaimPolicy|Unsupported value",
                "{'name':'a','storageClassOptions':{'volumeBindingMode':'Later'}}"
                        + "|storageClassOptions.volumeBindingMode|Unsupported value",
                "{'name':'a','nodeSelector':{}}|nodeSelector.nodeSelectorTerms|Required value",
            })
    void aBadDeviceClassIsRefusedWithItsField(String deviceClass, String field, String message) {
        assertRefused(cluster(deviceClass), "spec.storage.deviceClasses[0]." + field, message);
    }

    @Test
    void twoDeviceClassesOfOneNameAreRefused() {
        assertRefused(
                cluster("{'name':'a'},{'name':'a'}"),
                "spec.storage.deviceClasses[1]",
                "Duplicate value: ");
    }

    @Test
    void moreThanSixteenParametersAreRefused() {
        var parameters = new StringBuilder("'p0':''");
        for (int i = 1; i < 17; i++) {
            parameters.append(",'p" + i + "':''");
        }
        assertRefused(
                cluster(
                        name(
                                "'storageClassOptions':{'additionalParameters':{"
                                        + parameters
                                        + "}}")),
                "spec.storage.deviceClasses[0].storageClassOptions.additionalParameters",
                "Too many: 17: must have at most 16 items");
    }

    @ParameterizedTest(name = "{2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'fstype':'xfs'|'fstype':'ext4'|fstype|fstype is immutable",
                "'raidConfig':{'type':'raid1'}|'raidConfig':{'type':'raid10'}|raidConfig"
                        + "|raidConfig is immutable",
                "'storageClassOptions':{'reclaimPolicy':'Delete'}"
                        + "|'storageClassOptions':{'reclaimPolicy':'Retain'}"
                        + "|storageClassOptions.reclaimPolicy|reclaimPolicy is immutable",
                "'storageClassOptions':{'volumeBindingMode':'Immediate'}|'storageClassOptions':{}"
                        + "|storageClassOptions.volumeBindingMode|volumeBindingMode is immutable",
                "'storageClassOptions':{}|'storageClassOptions':{'additionalParameters':{'a':'b'}}"
                        + "|storageClassOptions.additionalParameters"
                        + "|additionalParameters is immutable",
            })
    void whatMayNotChangeOfADeviceClassStays(
            String before, String after, String field, String message) {
        assertEquals(201, cluster(name(before)).code());
        var patch = "{'spec':{'storage':{'deviceClasses':[%s]}}}";
        var my = path("lvmclusters") + "/my";
        assertRefused(
                client.merge(my, patch.formatted(name(after))),
                "spec.storage.deviceClasses[0]." + field,
                message);
        var other = "{'name':'vg2'}," + name(before + ",'default':true");
        assertEquals(200, client.merge(my, patch.formatted(other)).code(), "another place");
    }

    @Test
    void aDeviceClassGetsItsDefaults() {
        var reply = cluster(name(THIN.formatted("")));
        assertEquals(201, reply.code(), reply.toString());
        var shown = reply.body().getAsJsonObject("spec").getAsJsonObject("storage");
        var made = shown.getAsJsonArray("deviceClasses").get(0).getAsJsonObject();
        assertEquals("xfs", made.get("fstype").getAsString());
        assertFalse(made.has("deviceDiscoveryPolicy"), "absent has a meaning of its own");
        assertEquals(
                json(
                        "{'name':'tp','overprovisionRatio':10,'sizePercent':90,"
                                + "'chunkSizeCalculationPolicy':'Static',"
                                + "'metadataSizeCalculationPolicy':'Host',"
                                + "'thresholdPercent':80}"),
                made.get("thinPoolConfig"));
        assertEquals(
                json(
                        "{'reclaimPolicy':'Delete','volumeBindingMode':'WaitForFirstConsumer',"
                                + "'additionalParameters':{}}"),
                made.get("storageClassOptions"));
    }

    private static JsonElement json(String text) {
        return com.google.gson.JsonParser.parseString(text.replace('\'', '"'));
    }

    @Test
    void aVolumeGroupIsThinOrRaidButNotBoth() {
        assertRefused(
                group(THIN.formatted("") + ",'raidConfig':{'type':'raid1'}"),
                "spec",
                "raidConfig and thinPoolConfig are mutually exclusive");
        assertEquals(201, group("'raidConfig':{'type':'raid1'}").code());
        var vg1 = path("lvmvolumegroups") + "/vg1";
        assertRefused(
                client.merge(vg1, "{'spec':{'raidConfig':{'type':'raid10'}}}"),
                "spec.raidConfig",
                "raidConfig is immutable");
    }

    /** What volumes are found by, and the group that holds them. */
    @ParameterizedTest
    @ValueSource(strings = {"deviceClassName", "volumeGroupName"})
    void aVolumeGroupKeepsItsNames(String field) {
        group("'stripe':1");
        var vg1 = path("lvmvolumegroups") + "/vg1";
        var refused = client.merge(vg1, "{'spec':{'" + field + "':'a'}}");
        assertRefused(refused, "spec", field + " is immutable");
        assertEquals(200, client.delete(vg1, "{}").code());
        group("'" + field + "':'a'");
        assertRefused(
                client.merge(vg1, "{'spec':{'" + field + "':'b'}}"),
                "spec",
                field + " is immutable");
        assertEquals(200, client.merge(vg1, "{'spec':{'stripe':2}}").code());
    }

    @Test
    void aVolumeGroupGetsTheDefaultsOfItsPool() {
        var pool = group(THIN.formatted(",'chunkSize':'256Ki'"));
        assertEquals("90", pool.text("spec", "thinPoolConfig", "sizePercent"));
        assertEquals("256Ki", pool.text("spec", "thinPoolConfig", "chunkSize"));
        assertEquals("Host", pool.text("spec", "thinPoolConfig", "metadataSizeCalculationPolicy"));
    }

    /** NativeStor's samples lack {@code cleanup}; an empty list says something else than none. */
    @Test
    void aTopolvmClusterIsTakenAsUsersOfNativeStorWroteIt() {
        var devices = "'devices':[{'name':'/dev/sdb','type':'disk'}]";
        var reply =
                client.post(
                        "/apis/topolvm.cybozu.com/v2/namespaces/"
                                + namespace
                                + "/topolvmclusters?fieldValidation=Strict",
                        "{'apiVersion':'topolvm.cybozu.com/v2','kind':'TopolvmCluster',"
                                + "'metadata':{'name':'my'},'spec':{'topolvmVersion':'0.10',"
                                + "'storage':{'useAllNodes':false,'useAllDevices':false,"
                                + "'useLoop':false,'devices':[],'deviceClasses':[{"
                                + "'nodeName':'n1','classes':[{'className':'hdd',"
                                + "'volumeGroup':'test','default':true,"
                                + devices
                                + "}]}]}}}");
        assertEquals(201, reply.code(), reply.toString());
        assertEquals(List.of(), reply.warnings());
        assertEquals("[]", reply.text("spec", "storage", "devices"));
    }

    @Test
    void aNodeStatusGetsItsPolicyAndKnowsNoOther() {
        var status =
                "{'apiVersion':'lvm.topolvm.io/v1alpha1','kind':'LVMVolumeGroupNodeStatus',"
                        + "'metadata':{'name':'%s'},'spec':{'nodeStatus':[{'name':'vg1'%s}]}}";
        var path = path("lvmvolumegroupnodestatuses");
        var reply = client.post(path, status.formatted("n1", ""));
        assertEquals(
                "RuntimeStatic", reply.text("spec", "nodeStatus", "0", "deviceDiscoveryPolicy"));
        assertRefused(
                client.post(path, status.formatted("n2", ",'deviceDiscoveryPolicy':'Static'")),
                "spec.nodeStatus[0].deviceDiscoveryPolicy",
                "Unsupported value: \"Static\"");
        assertRefused(
                client.post(path, status.formatted("n2", ",'raidStatus':{'status':'Fine'}")),
                "spec.nodeStatus[0].raidStatus.status",
                "Unsupported value: \"Fine\"");
    }

    private static Client.Reply volume(String name, String spec) {
        return client.post(
                "/apis/topolvm.io/v1/logicalvolumes",
                "{'apiVersion':'topolvm.io/v1','kind':'LogicalVolume','metadata':{'name':'"
                        + name
                        + "'},'spec':"
                        + spec
                        + "}");
    }

    @Test
    void aLogicalVolumeNeedsItsNameNodeAndSize() {
        for (var field : List.of("name", "nodeName", "size")) {
            assertRefused(volume("pvc-0", "{}"), "spec." + field, "Required value");
        }
        assertRefused(
                volume("pvc-0", "{'name':'pvc-0','nodeName':'n','size':'big'}"),
                "spec.size",
                "in body should match");
    }

    @Test
    void logicalVolumesAreSelectedByNodeAndVolume() {
        assertEquals(201, volume("pvc-1", "{'name':'a','nodeName':'n1','size':'1Gi'}").code());
        assertEquals(201, volume("pvc-2", "{'name':'b','nodeName':'n2','size':1073741824}").code());
        var path = "/apis/topolvm.io/v1/logicalvolumes";
        client.merge(path + "/pvc-2/status", "{'status':{'volumeID':'v2'}}");
        var ofNode = client.get(path + "?fieldSelector=spec.nodeName%3Dn1");
        assertEquals("pvc-1", ofNode.text("items", "0", "metadata", "name"));
        assertEquals(1, ofNode.body().getAsJsonArray("items").size());
        var byId = client.get(path + "?fieldSelector=status.volumeID%3Dv2");
        assertEquals("pvc-2", byId.text("items", "0", "metadata", "name"));
        assertEquals(400, client.get(path + "?fieldSelector=spec.size%3D1Gi").code());
    }
}
