package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What the real kubectl prints of each of our types, in the order in which people read it. */
class ShippedColumnTests {
    private static final String OURS = "/apis/lvm.topolvm.io/v1alpha1/namespaces/";
    private static final String VOLUMES = "/apis/topolvm.io/v1/logicalvolumes";
    private static final Pattern HEADING = Pattern.compile("\\S+");

    @TempDir private static Path directory;
    private static ApiServer server;
    private static Client client;
    private static Kubectl kubectl;
    private static String namespace;

    @BeforeAll
    static void start() throws Exception {
        Assumptions.assumeTrue(Kubectl.onPath(), "kubectl is not on the path");
        server = Servers.start();
        client = Client.of(server);
        kubectl = new Kubectl(server, directory);
        var files =
                Definitions.ALL.stream().map(name -> "deploy/base/crds/" + name + ".yaml").toList();
        kubectl.succeed("apply", "--server-side", "-f", String.join(",", files));
        for (var type : List.of(OURS.replace("namespaces/", "lvmclusters"), VOLUMES)) {
            Client.await(() -> client.get(type).code() == 200);
        }
        namespace = client.namespace();
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    /** The cells of the only row by their headings; the age, which moves on, only has to be one. */
    private static Map<String, String> row(String... arguments) throws Exception {
        var lines = kubectl.succeed(arguments).lines().toList();
        assertEquals(2, lines.size(), lines::toString);
        var headings = HEADING.matcher(lines.getFirst()).results().toList();
        var row = new LinkedHashMap<String, String>();
        for (int i = 0; i < headings.size(); i++) {
            int from = Math.min(headings.get(i).start(), lines.getLast().length());
            int to =
                    i + 1 < headings.size()
                            ? Math.min(headings.get(i + 1).start(), lines.getLast().length())
                            : lines.getLast().length();
            row.put(headings.get(i).group(), lines.getLast().substring(from, to).strip());
        }
        var age = row.remove("AGE");
        assertTrue(age.matches("\\d+s|\\dm\\d+s"), () -> "AGE " + age);
        return row;
    }

    private static void create(String path, String kind, String rest) {
        var group = path.startsWith(VOLUMES) ? "topolvm.io/v1" : "lvm.topolvm.io/v1alpha1";
        var reply =
                client.post(
                        path, "{'apiVersion':'%s','kind':'%s',%s}".formatted(group, kind, rest));
        assertEquals(201, reply.code(), reply.toString());
    }

    private static void assertCells(String expected, Map<String, String> row) {
        var cells = new LinkedHashMap<String, String>();
        for (var cell : expected.split("; ")) {
            var parts = cell.split("=", 2);
            cells.put(parts[0], parts[1]);
        }
        assertEquals(List.copyOf(cells.entrySet()), List.copyOf(row.entrySet()));
    }

    @Test
    void aVolumeSaysWhereItIsHowLargeForWhomAndHowItIs() throws Exception {
        create(
                VOLUMES,
                "LogicalVolume",
                "'metadata':{'name':'pvc-1','annotations':{'topolvm.io/claim':'default/data'}},"
                    + "'spec':{'name':'pvc-1','nodeName':'n1','deviceClass':'ssd','size':'2Gi'}");
        assertCells(
                "NAME=pvc-1; NODE=n1; CLASS=ssd; SIZE=2Gi; CURRENT=; CLAIM=default/data;"
                        + " DELETING=; FAILURE=",
                row("get", "logicalvolumes.topolvm.io", "pvc-1"));
        client.merge(
                VOLUMES + "/pvc-1/status",
                "{'status':{'volumeID':'uid-1','currentSize':'1Gi','code':8,'message':'no room'}}");
        assertCells(
                "NAME=pvc-1; NODE=n1; CLASS=ssd; SIZE=2Gi; CURRENT=1Gi; CLAIM=default/data;"
                        + " DELETING=; FAILURE=no room; VOLUME=uid-1; SOURCE=",
                row("get", "logicalvolumes.topolvm.io", "pvc-1", "-o", "wide"));
    }

    @Test
    void aVolumeGroupSaysWhatItIsMadeAs() throws Exception {
        create(
                OURS + namespace + "/lvmvolumegroups",
                "LVMVolumeGroup",
                "'metadata':{'name':'vg1'},'spec':{'default':true,'deviceDiscoveryPolicy':'Static',"
                        + "'thinPoolConfig':{'name':'pool','overprovisionRatio':10}}");
        assertCells(
                "NAME=vg1; POOL=pool; RATIO=10; RAID=; DISCOVERY=Static; DEFAULT=true; DELETING=",
                row("get", "lvmvolumegroups", "--namespace=" + namespace, "--output=wide"));
    }

    @Test
    void aNodeNamesTheGroupThatIsWrong() throws Exception {
        create(
                OURS + namespace + "/lvmvolumegroupnodestatuses",
                "LVMVolumeGroupNodeStatus",
                "'metadata':{'name':'n1'},'spec':{'nodeStatus':[{'name':'a','status':'Ready'},"
                        + "{'name':'b','status':'Degraded','reason':'a disk is missing'}]}");
        assertCells(
                "NAME=n1; FAILED=; DEGRADED=b; PROGRESSING=",
                row("get", "lvmvolumegroupnodestatuses", "--namespace=" + namespace));
        assertEquals(
                "a disk is missing",
                row(
                                "get",
                                "lvmvolumegroupnodestatuses",
                                "--namespace=" + namespace,
                                "--output=wide")
                        .get("REASON"));
    }

    @Test
    void aClusterSaysItsStateAndWhatDoesNotHold() throws Exception {
        var path = OURS + namespace + "/lvmclusters";
        create(path, "LVMCluster", "'metadata':{'name':'my'},'spec':{'storage':{}}");
        client.merge(
                path + "/my/status",
                "{'status':{'state':'Degraded','ready':false,'conditions':[{'type':"
                        + "'VolumeGroupsReady','status':'False','reason':'VGsDegraded','message':"
                        + "'a disk is lost','lastTransitionTime':'2026-01-02T03:04:05Z'}]}}");
        assertCells(
                "NAME=my; STATUS=Degraded; REASON=VGsDegraded; MESSAGE=a disk is lost",
                row("get", "lvmclusters", "--namespace=" + namespace, "--output=wide"));
    }
}
