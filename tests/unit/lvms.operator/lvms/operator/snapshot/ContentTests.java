package lvms.operator.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

    /** How the snapshot-controller makes a content of a group: UID and status follow later. */
    private static final String MEMBER =
            "'annotations':{'groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle':'g'},";

    private static final String UNBOUND = ",'volumeSnapshotRef':{'name':'x','namespace':'y'}";
    private static final String TAKEN = "'volumeGroupSnapshotHandle':'g','snapshotHandle':'s'";

    private static Need need(String metadata, String spec, String status) {
        return content(metadata, spec, status).need(Driver.TOPOLVM, false);
    }

    private static Content content(String metadata, String spec, String status) {
        var text =
                "{'metadata':{%s'name':'c'},'spec':{'driver':'topolvm.io','volumeSnapshotRef':"
                        + "{'uid':'u'},%s},'status':{%s}}";
        var object = Json.parse(text.formatted(metadata, spec, status).replace('\'', '"'));
        return new Content(KubeObject.of(object.asObject()));
    }

    @Test
    void aDynamicOneIsCreatedUntilItIsReady() {
        assertEquals(Need.CREATE, need("", DYNAMIC, ""));
        assertEquals(Need.CREATE, need("", DYNAMIC, "'snapshotHandle':'s'"));
        assertEquals(Need.NOTHING, need("", DYNAMIC, "'readyToUse':true"));
    }

    @Test
    void aMarkThatWasLeftBehindIsCleared() {
        assertEquals(Need.UNMARK, need(marked("being-created"), DYNAMIC, "'readyToUse':true"));
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

    /** A snapshot of its own would be of another instant than the group. */
    @Test
    void aMemberOfAGroupIsNeverCreated() {
        assertEquals(Need.NOTHING, need(MEMBER, DYNAMIC + UNBOUND, ""));
        assertEquals(Need.NOTHING, need(MEMBER, DYNAMIC, ""));
        assertEquals(Need.FIND, need(MEMBER, DYNAMIC, TAKEN));
        assertEquals(Need.NOTHING, need(MEMBER, DYNAMIC, TAKEN + ",'readyToUse':true"));
    }

    @Test
    void aMemberOfAGroupIsRemovedWithIt() {
        var spec = DYNAMIC + ",'deletionPolicy':'Delete'";
        assertTrue(content("", spec, "").deletesSnapshot());
        assertFalse(content(MEMBER, spec, "").deletesSnapshot());
        assertFalse(content("", spec, TAKEN).deletesSnapshot());
    }

    /** Its snapshot is named after the UID. */
    @Test
    void oneThatIsNotBoundYetIsNotCreated() {
        assertEquals(Need.NOTHING, need("", DYNAMIC + UNBOUND, ""));
    }
}
