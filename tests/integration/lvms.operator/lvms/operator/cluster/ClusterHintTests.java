package lvms.operator.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Names;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Events and labels that tell people what they cannot see of claims and volumes. */
class ClusterHintTests extends ClusterCase {
    private void claim(String name, String metadata, String spec, String phase) throws Exception {
        var key = ObjectKey.of("default", name);
        site.createObject(
                Types.PVC,
                key,
                "{'metadata':{'name':'%s','namespace':'default'%s},".formatted(name, metadata)
                        + "'spec':{'accessModes':['ReadWriteOnce'],"
                        + "'resources':{'requests':{'storage':'1Gi'}}"
                        + spec
                        + "}}");
        var status = Clusters.tree("{'status':{'phase':'" + phase + "'}}");
        site.kube.mergePatchStatus(Types.PVC, key, status);
    }

    private void volume(String name, String metadata, String deviceClass) throws Exception {
        site.createObject(
                Types.PV,
                ObjectKey.cluster(name),
                "{'metadata':{'name':'%s'%s},".formatted(name, metadata)
                        + "'spec':{'storageClassName':'%s',".formatted(deviceClass)
                        + "'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1Gi'},"
                        + "'csi':{'driver':'topolvm.io','volumeHandle':'h'}}}");
    }

    @Test
    void hintsLeaveOthersAlone() throws Exception {
        var ours = ",'storageClassName':'lvms-vg1'";
        var held = ",'finalizers':['example.com/hold']";
        site.createObject(
                Types.STORAGE_CLASS,
                ObjectKey.cluster("foreign"),
                "{'provisioner':'example.com/other',"
                        + "'parameters':{'topolvm.io/device-class':'vg1'}}");
        claim("foreign", "", ",'storageClassName':'foreign'", "Pending");
        claim("without", "", ",'storageClassName':''", "Pending");
        claim("bound", "", ours + ",'volumeName':'v'", "Bound");
        claim("going", held, ours, "Pending");
        site.delete(Types.PVC, ObjectKey.of("default", "going"));
        volume("of-another-class", "", "foreign");
        volume("going-too", held, "lvms-vg1");
        site.delete(Types.PV, ObjectKey.cluster("going-too"));
        ready(VG1);
        claim("last", "", ours, "Pending");
        volume("last-too", "", "lvms-vg1");
        var note = site.awaitEvent("last", "NotEnoughCapacity").text("note").orElseThrow();
        assertTrue(note.endsWith("on any node"), note); // none says how much it has
        site.awaitEvent("last-too", "ClaimReferenceRemoved");
        for (var name : List.of("foreign", "without", "bound", "going")) {
            assertTrue(site.event(name, "NotEnoughCapacity").isEmpty(), name);
        }
        for (var name : List.of("of-another-class", "going-too")) {
            assertTrue(site.event(name, "ClaimReferenceRemoved").isEmpty(), name);
        }
    }

    @Test
    void nothingIsLookedAtWhileACacheIsNotFilled() throws Exception {
        volume("early", "", "lvms-vg1");
        site.server
                .faults()
                .answer(r -> r.target().contains("/networkpolicies"), 1_000_000, 500, "away");
        site.startOperator();
        Site.await("it asks for them", () -> !site.server.faults().hits().isEmpty());
        Thread.sleep(500); // with ten thousand volumes each look again is work for nothing
        assertFalse(volumesWereLookedAt(), site.metrics());
        site.server.faults().clear();
        Site.await("the first look", this::volumesWereLookedAt);
    }

    private boolean volumesWereLookedAt() {
        var passes = "controller_runtime_reconcile_total{controller=\"lvms-pv\"";
        return site.metrics()
                .lines()
                .anyMatch(line -> line.startsWith(passes) && !line.endsWith(" 0"));
    }

    @Test
    void hintsTellWhatPeopleCannotSee() throws Exception {
        ready(VG1);
        site.kube
                .withFieldManager("vg-manager")
                .mergePatch(
                        Types.NODE,
                        ObjectKey.cluster("n1"),
                        Clusters.tree(
                                "{'metadata':{'annotations':{'capacity.topolvm.io/vg1':'1024'}}}"));
        site.createObject(
                Types.PVC,
                ObjectKey.of("default", "big"),
                "{'spec':{'storageClassName':'lvms-vg1','accessModes':['ReadWriteOnce'],"
                        + "'resources':{'requests':{'storage':'1Gi'}}},"
                        + "'status':{'phase':'Pending'}}");
        var event = site.awaitEvent("big", "NotEnoughCapacity");
        assertTrue(
                event.text("note")
                        .orElseThrow()
                        .contains("is greater than available capacity on any node"));
        site.createObject(
                Types.PV,
                ObjectKey.cluster("v"),
                "{'spec':{'storageClassName':'lvms-vg1','accessModes':['ReadWriteOnce'],"
                        + "'capacity':{'storage':'1Gi'},"
                        + "'csi':{'driver':'topolvm.io','volumeHandle':'h'},"
                        + "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':"
                        + "[{'key':'topology.topolvm.io/node','operator':'In',"
                        + "'values':['n1']}]}]}}}}");
        site.awaitObject(
                Types.PV,
                ObjectKey.cluster("v"),
                v -> v.label(Names.HOSTNAME_LABEL).filter("n1"::equals).isPresent());
        assertTrue(
                site.awaitEvent("v", "ClaimReferenceRemoved")
                        .text("note")
                        .orElseThrow()
                        .startsWith("Claim reference has been removed"));
    }
}
