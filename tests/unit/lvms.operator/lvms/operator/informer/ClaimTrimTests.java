package lvms.operator.informer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Drivers;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.operator.claim.Claim;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** No claim costs the operator more than a claim of its own does. */
@Safety(34)
class ClaimTrimTests {
    private static final String NAMED =
            "'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'c','namespace':'n',"
                + "'uid':'u','resourceVersion':'1'%s}";

    private static final String OURS =
            ",'annotations':{'volume.kubernetes.io/storage-provisioner':'topolvm.io'}";

    private static KubeObject claim(String metadata, String rest) {
        var json = "{" + NAMED.formatted(metadata) + rest + "}";
        return KubeObject.of(Json.parse(json.replace('\'', '"')).asObject());
    }

    private static KubeObject trim(KubeObject claim) {
        return ClaimTrim.of(Drivers.DEFAULT, claim);
    }

    @Test
    void keepsOfAClaimOfOthersWhatNamesIt() {
        var provisioner =
                ",'annotations':{'volume.kubernetes.io/storage-provisioner':'others.io'%s}%s";
        var spec = "'storageClassName':'c','volumeName':'v'";
        var rest = ",'spec':{%s},'status':{'phase':'Bound'%s}";
        var whole =
                claim(
                        provisioner.formatted(",'x':'y'", ",'labels':{'a':'b'},'finalizers':['f']"),
                        rest.formatted(
                                spec + ",'accessModes':['ReadWriteOnce']",
                                ",'capacity':{'storage':'1Gi'}"));
        assertEquals(claim(provisioner.formatted("", ""), rest.formatted(spec, "")), trim(whole));
    }

    @Test
    void keepsOfAClaimOfOursWhatIsRead() {
        var kept =
                claim(
                        ",'finalizers':['f']" + OURS,
                        ",'spec':{'accessModes':['ReadWriteOnce'],'dataSourceRef':{'name':'s'},"
                                + "'resources':{'requests':{'storage':'1Gi'}},'selector':{},"
                                + "'storageClassName':'c','volumeMode':'Block'},'status':{"
                                + "'phase':'Pending',"
                                + "'conditions':[{'type':'Resizing','status':'True'}],"
                                + "'allocatedResources':{'storage':'2Gi'}}");
        assertEquals(kept, trim(kept));
        var more =
                kept.with("y", "metadata", "annotations", "volume.other/x")
                        .with("b", "metadata", "labels", "a")
                        .with("z", "spec", "selector", "matchLabels", "k");
        assertEquals(kept, trim(more));
    }

    @Test
    void aClaimThatNobodyHasYetIsWhole() {
        var kept = claim("", ",'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'c'}");
        assertEquals(kept, trim(kept));
    }

    @Test
    void whatIsTooLargeEvenSoIsMarked() {
        var many = "'ReadWriteOnce',".repeat(1000);
        var list = "[" + many.substring(0, many.length() - 1) + "]";
        for (var large :
                List.of(
                        claim(OURS, ",'spec':{'storageClassName':'c','accessModes':" + list + "}"),
                        claim(
                                OURS + ",'finalizers':" + list,
                                ",'spec':{'storageClassName':'c'}"))) {
            var kept = trim(large);
            assertTrue(new Claim(kept).isTooLarge());
            assertEquals("topolvm.io", new Claim(kept).provisioner());
            assertEquals("c", new Claim(kept).className());
            assertTrue(kept.toJson().length() < 500);
        }
    }

    @Test
    void nobodyCanMarkAClaim() {
        assertFalse(
                new Claim(trim(Claim.tooLarge(claim(OURS.replace("}", ",'a':'b'}"), ""))))
                        .isTooLarge());
    }

    @Test
    void aValueThatNothingReadsIsDroppedUnderANameThatIsRead() {
        var kept = claim(",'annotations':{'volume.kubernetes.io/selected-node':'n1'}", "");
        assertEquals(kept, trim(kept));
        var long1 = kept.with("n".repeat(600), "metadata", "annotations", Claim.SELECTED_NODE);
        assertEquals(0, trim(long1).annotations().size());
    }

    /** In a process of its own with less memory than the claims have, as plain lists give them. */
    @Test
    @Timeout(120)
    void aThousandClaimsOf250KibEachCostNothing() throws Exception {
        var java = ProcessHandle.current().info().command().orElseThrow();
        var process =
                new ProcessBuilder(
                                java,
                                "-Xmx64m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+ExitOnOutOfMemoryError",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ClaimCrowd.class.getName())
                        .redirectErrorStream(true)
                        .start();
        var said = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(100, TimeUnit.SECONDS), said);
        assertEquals(0, process.exitValue(), said);
        System.out.println(said.strip());
    }
}
