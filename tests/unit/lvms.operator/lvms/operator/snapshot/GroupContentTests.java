package lvms.operator.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.operator.snapshot.Content.Need;

import org.junit.jupiter.api.Test;

/** What a VolumeGroupSnapshotContent needs from us; the rest is the snapshot-controller's. */
class GroupContentTests {
    private static final String DYNAMIC =
            "'driver':'topolvm.io','source':{'volumeHandles':['v1','v2']}"
                    + ",'volumeGroupSnapshotRef':{'name':'g','namespace':'d','uid':'u1'}";
    private static final String STATIC =
            "'driver':'topolvm.io','source':{'groupSnapshotHandles':{"
                    + "'volumeGroupSnapshotHandle':'h','volumeSnapshotHandles':['s1']}}";
    private static final String DELETING =
            "'deletionTimestamp':'2026-01-01T00:00:00Z','finalizers':['"
                    + GroupContent.FINALIZER
                    + "']";

    private static GroupContent content(String metadata, String spec, String status) {
        var text = "{'metadata':{%s},'spec':{%s},'status':{%s}}".formatted(metadata, spec, status);
        return new GroupContent(KubeObject.of(Json.parse(text.replace('\'', '"')).asObject()));
    }

    private static Need need(String metadata, String spec, String status) {
        return content(metadata, spec, status).need(Driver.TOPOLVM);
    }

    private static String marked(String mark) {
        return "'annotations':{'groupsnapshot.storage.kubernetes.io/volumegroupsnapshot-"
                + mark
                + "':'yes'}";
    }

    @Test
    void aDynamicOneIsMadeUntilItIsReadyAndUnmarked() {
        assertEquals(Need.CREATE, need("", DYNAMIC, ""));
        assertEquals(Need.UNMARK, need(marked("being-created"), DYNAMIC, "'readyToUse':true"));
        assertEquals(Need.NOTHING, need("", DYNAMIC, "'readyToUse':true"));
        assertEquals("groupsnapshot-u1", content("", DYNAMIC, "").groupName());
        assertEquals(Need.NOTHING, need("", DYNAMIC.replace(",'uid':'u1'", ""), ""));
    }

    @Test
    void aStaticOneIsFound() {
        assertEquals(Need.FIND, need("", STATIC, ""));
        assertEquals(Need.NOTHING, need("", STATIC, "'readyToUse':true"));
    }

    @Test
    void oneIsDeletedOnlyOnceTheSnapshotControllerSaysSo() {
        assertEquals(Need.NOTHING, need(DELETING, DYNAMIC, ""));
        assertEquals(Need.DELETE, need(DELETING + "," + marked("being-deleted"), DYNAMIC, ""));
        assertEquals(Need.DELETE, need(DELETING, STATIC, ""));
    }

    @Test
    void othersAreLeftAlone() {
        assertEquals(Need.NOTHING, need("", DYNAMIC + ",'driver':'example.com'", ""));
    }
}
