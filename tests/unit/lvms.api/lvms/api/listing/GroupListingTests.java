package lvms.api.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.api.LvmVolumeGroup;
import lvms.api.VolumeGroupTemplate;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A volume group of a list may have names and wishes of its own; one of an LVMCluster has none. */
class GroupListingTests {
    private static final String LISTED =
            "{'metadata':{'name':'n1-fast'},'spec':{'default':true,"
                + "'deviceSelector':{'optionalPaths':['/dev/sdb','/dev/loop3']},"
                + "'deviceClassName':'fast','volumeGroupName':'data','spareGb':0,'stripe':2,"
                + "'stripeSize':'64k','minimumDeviceSize':'2Gi','retainOnDelete':true,"
                + "'adopt':true,'adoptOn':['n1'],'allowEmptying':true,'loops':["
                + "{'name':'a','path':'/var/loops','sizeGb':4,'auto':true,'files':[{'node':'n1',"
                + "'file':'/var/loops/6f96'}]},{'name':'/dev/loop3'}]}}";

    private static LvmVolumeGroup group(String json) {
        return LvmVolumeGroup.of(KubeObject.of(tree(json)));
    }

    private static ObjectTree tree(String json) {
        return Json.parse(json.replace('\'', '"')).asObject();
    }

    @Test
    void readsWhatAListSays() {
        var listing = group(LISTED).spec().listing();
        assertEquals(
                new GroupListing(
                        Optional.of("fast"),
                        Optional.of("data"),
                        OptionalInt.of(0),
                        OptionalInt.of(2),
                        Optional.of("64k"),
                        Optional.of(Quantity.parse("2Gi")),
                        true,
                        true,
                        List.of("n1"),
                        true,
                        List.of(
                                new LoopDevice(
                                        "a",
                                        Optional.of("/var/loops"),
                                        OptionalInt.of(4),
                                        true,
                                        List.of(new LoopFile("n1", "/var/loops/6f96"))),
                                new LoopDevice(
                                        "/dev/loop3",
                                        Optional.empty(),
                                        OptionalInt.empty(),
                                        false))),
                listing);
    }

    @Test
    void writesWhatItRead() {
        var whole = tree(LISTED);
        assertEquals(whole.at("spec"), LvmVolumeGroup.of(KubeObject.of(whole)).spec().json());
    }

    @Test
    void classAndVolumeGroupHaveNamesOfTheirOwn() {
        assertEquals("fast", group(LISTED).deviceClass());
        assertEquals("data", group(LISTED).volumeGroup());
    }

    @Test
    void withoutThemBothHaveTheNameOfTheObject() {
        var plain = group("{'metadata':{'name':'vg1'},'spec':{'default':true}}");
        assertEquals("vg1", plain.deviceClass());
        assertEquals("vg1", plain.volumeGroup());
        assertEquals(GroupListing.NONE, plain.spec().listing());
    }

    @Test
    void aClassOfAnLvmClusterWritesNoneOfIt() {
        var spec = new LvmVolumeGroup.Spec(true, VolumeGroupTemplate.of(ObjectTree.EMPTY)).json();
        assertEquals(tree("{'default':true}"), spec);
    }

    @Test
    void aSpareThatIsUnsetIsNotTheSameAsNone() {
        var unset = GroupListing.of(tree("{}"));
        var none = GroupListing.of(tree("{'spareGb':0}"));
        assertFalse(unset.equals(none));
        assertEquals(OptionalInt.of(0), none.spareGb());
    }

    @Test
    void refusesASizeThatIsNone() {
        assertThrows(
                IllegalArgumentException.class,
                () -> GroupListing.of(tree("{'minimumDeviceSize':'two'}")));
    }
}
