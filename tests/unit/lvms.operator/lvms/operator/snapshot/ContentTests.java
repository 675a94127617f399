package lvms.operator.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.operator.snapshot.Content.Need;

import org.junit.jupiter.api.Test;

/** What a VolumeSnapshotContent asks for follows from its source, status and annotations. */
class ContentTests {
    private static final String DYNAMIC = "'source':{'volumeHandle':'v'}";
    private static final String STATIC = "'source':{'snapshotHandle':'s'}";
    private static final String DELETING =
            "'deletionTimestamp':'2026-01-01T00:00:00Z','finalizers':"
                    + "['snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection'],";

    private static String marked(String... words) {
        var text = new StringBuilder("'annotations':{");
        for (var word : words) {
            text.append(text.charAt(text.length() - 1) == '{' ? "" : ",")
                    .append("'snapshot.storage.kubernetes.io/volumesnapshot-")
                    .append(word)
                    .append("':'yes'");
        }
        return text.append("},").toString();
    }

    private static Need need(String metadata, String spec, String status) {
        var text =
                "{'metadata':{%s'name':'c'},'spec':{'driver':'topolvm.io','volumeSnapshotRef':"
                        + "{'uid':'u'},%s},'status':{%s}}";
        var object = Json.parse(text.formatted(metadata, spec, status).replace('\'', '"'));
        return new Content(KubeObject.of(object.asObject())).need(Driver.TOPOLVM);
    }

    @Test
    void aDynamicOneIsCreatedUntilItIsReady() {
        assertEquals(Need.CREATE, need("", DYNAMIC, ""));
        assertEquals(Need.CREATE, need("", DYNAMIC, "'snapshotHandle':'s'"));
        assertEquals(Need.NOTHING, need("", DYNAMIC, "'readyToUse':true"));
    }

    @Test
    void aMarkThatWasLeftBehindIsCleared() {
        assertEquals(Need.CREATE, need(marked("being-created"), DYNAMIC, "'readyToUse':true"));
    }

    @Test
    void aStaticOneIsLookedFor() {
        assertEquals(Need.FIND, need("", STATIC, ""));
        assertEquals(Need.NOTHING, need("", STATIC, "'readyToUse':true"));
    }

    @Test
    void deletionWaitsForTheSnapshotController() {
        assertEquals(Need.NOTHING, need(DELETING, DYNAMIC, "'readyToUse':true"));
        assertEquals(Need.DELETE, need(DELETING + marked("being-deleted"), DYNAMIC, ""));
    }

    @Test
    void oneDeletedWhileItIsBeingCreatedIsDeletedToo() {
        var both = marked("being-created", "being-deleted");
        assertEquals(Need.DELETE, need(DELETING + both, DYNAMIC, ""));
    }

    @Test
    void anUnboundStaticOneIsDeletedWithoutAsking() {
        var unbound = STATIC + ",'volumeSnapshotRef':{'name':'x'}";
        assertEquals(Need.DELETE, need(DELETING, unbound, ""));
        assertEquals(Need.NOTHING, need(DELETING, STATIC, ""));
    }

    @Test
    void othersAndMembersOfGroupsAreLeftAlone() {
        assertEquals(Need.NOTHING, need("", DYNAMIC + ",'driver':'example.com'", ""));
        assertEquals(Need.NOTHING, need("", DYNAMIC, "'volumeGroupSnapshotHandle':'g'"));
    }
}
