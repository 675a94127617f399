package lvms.operator.cluster.rule;

import static lvms.operator.cluster.Clusters.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.DeviceClass;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** What an LVMCluster may become. */
class UpdateRulesTests {
    private static final String A =
            "{'name':'a','default':true,'deviceSelector':{'paths':['/dev/a']}";
    private static final String B = "{'name':'b','deviceSelector':{'paths':['/dev/b']}";
    private static final String POOL =
            ",'thinPoolConfig':{'name':'p','overprovisionRatio':10,'sizePercent':80";
    private static final String NODES =
            ",'nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':"
                    + "[{'key':'zone','operator':'In','values':['x']}]}]}";

    private static List<DeviceClass> classes(String... classes) {
        return cluster(classes).deviceClasses();
    }

    private static Verdict change(String before, String after) {
        return ClusterRules.update(classes(before), classes(after));
    }

    private static void assertAccepted(Verdict verdict) {
        assertEquals(List.of(), verdict.errors());
    }

    private static void assertRefused(String text, Verdict verdict) {
        assertEquals(1, verdict.errors().size(), verdict::toString);
        assertTrue(verdict.errors().getFirst().contains(text), verdict::toString);
    }

    @Test
    void acceptsWhatMayChange() {
        assertAccepted(change(A + "}", A + "}"));
        assertAccepted(
                change(
                        A + POOL + "}}",
                        A
                                + ",'deviceDiscoveryPolicy':'Dynamic'"
                                + POOL.replace(":10", ":20")
                                + "}}"));
        assertAccepted(change(A + "}", A.replace("['/dev/a']", "['/dev/a','/dev/c']") + "}"));
        assertAccepted(change(A.replace("['/dev/a']", "['/dev/a','/dev/c']") + "}", A + "}"));
        assertAccepted(ClusterRules.update(classes(A + "}"), classes(A + "}", B + "}")));
        assertAccepted(ClusterRules.update(classes(A + "}", B + "}"), classes(A + "}")));
        assertAccepted(
                change(A + "}", A + ",'storageClassOptions':{'additionalLabels':{'x':'y'}}}"));
    }

    @Test
    void theRulesForNewObjectsHoldForChangedOnes() {
        assertRefused(
                "only one device class may be the default",
                ClusterRules.update(classes(A + "}"), classes(A + "}", B + ",'default':true}")));
        assertRefused(
                "managed by LVMS",
                ClusterRules.update(
                        classes(A + "}"),
                        classes(
                                A + "}",
                                B
                                        + ",'storageClassOptions':{'additionalParameters':"
                                        + "{'topolvm.io/device-class':'x'}}}")));
    }

    @ParameterizedTest
    @CsvSource({"reclaimPolicy,Retain", "volumeBindingMode,Immediate"})
    void u1RefusesOptionsThatComeOrGoLater(String option, String value) {
        var with = A + ",'storageClassOptions':{'" + option + "':'" + value + "'}}";
        var text = option + " is immutable once set";
        assertRefused(text, change(A + "}", with));
        assertRefused(text, change(with, A + "}"));
    }

    @Test
    void u1RefusesParametersThatComeLater() {
        assertRefused(
                "additionalParameters is immutable once set",
                change(A + "}", A + ",'storageClassOptions':{'additionalParameters':{'x':'y'}}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'reclaimPolicy':'Delete','volumeBindingMode':'WaitForFirstConsumer'}",
                "{'additionalParameters':{}}"
            })
    void u1AcceptsDefaultsThatAreWrittenOut(String options) {
        assertAccepted(change(A + "}", A + ",'storageClassOptions':" + options + "}"));
    }

    @Test
    void u1LetsANewClassHaveAnyOptions() {
        assertAccepted(
                ClusterRules.update(
                        classes(A + "}"),
                        classes(
                                A + "}",
                                B + ",'storageClassOptions':{'reclaimPolicy':'Retain'}}")));
    }

    @Test
    void u2RefusesToRemoveTheLastClass() {
        assertTrue(
                ClusterRules.update(classes(B + "}"), List.of())
                        .errors()
                        .contains("at least one device class must remain"));
    }

    @Test
    void u2LetsAClusterThatNeverHadAClassBeEdited() {
        assertAccepted(ClusterRules.update(List.of(), List.of()));
    }

    @Test
    void u3RefusesToRemoveTheDefaultClass() {
        assertRefused(
                "cannot delete default device class \"a\"",
                ClusterRules.update(classes(A + "}", B + "}"), classes(B + "}")));
    }

    @Test
    void u4RefusesToAddOrRemoveAThinPool() {
        var text = "thinPoolConfig cannot be added to or removed";
        assertRefused(text, change(A + "}", A + POOL + "}}"));
        assertRefused(text, change(A + POOL + "}}", A + "}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'name':'p'|'name':'q'|name",
                "'sizePercent':80|'sizePercent':81|sizePercent",
                "'sizePercent':80|'sizePercent':80,'chunkSizeCalculationPolicy':'Host'"
                        + "|chunkSizeCalculationPolicy",
                "'sizePercent':80|'sizePercent':80,'chunkSize':'256Ki'|chunkSize"
            },
            quoteCharacter = '`')
    void u5RefusesToChangeTheThinPool(String before, String after, String field) {
        var pool = A + POOL + "}}";
        var errors = change(pool, pool.replace(before, after)).errors();
        assertTrue(
                errors.contains(
                        "device class \"a\": thinPoolConfig." + field + " cannot be changed"),
                errors::toString);
    }

    @Test
    void u5ComparesChunkSizesByValue() {
        assertAccepted(
                change(A + POOL + ",'chunkSize':'128Ki'}}", A + POOL + ",'chunkSize':131072}}"));
        assertAccepted(change(A + POOL + "}}", A + POOL + ",'chunkSize':'128Ki'}}"));
    }

    @Test
    void u6WarnsOfTheMetadataSizeThatIsUsed() {
        var verdict =
                change(A + POOL + "}}", A + POOL + ",'metadataSizeCalculationPolicy':'Static'}}");
        assertAccepted(verdict);
        assertEquals(1, verdict.warnings().size());
        assertTrue(verdict.warnings().getFirst().contains("1Gi will be used"));
    }

    @ParameterizedTest
    @CsvSource({
        "2Gi,1Gi,false",
        "2Gi,3Gi,true",
        "1Gi,1073741824,true",
        ",512Mi,false",
        "2Gi,,false"
    })
    void u7LetsTheMetadataGrowOnly(String before, String after, boolean accepted) {
        var verdict = change(A + POOL + metadata(before), A + POOL + metadata(after));
        assertEquals(accepted, verdict.accepted(), verdict::toString);
    }

    private static String metadata(String size) {
        return ",'metadataSizeCalculationPolicy':'Static'"
                + (size == null ? "" : ",'metadataSize':'" + size + "'")
                + "}}";
    }

    @Test
    void u8RefusesToAddOrRemoveRaid() {
        var two = A.replace("['/dev/a']", "['/dev/a','/dev/c']");
        var raid = two + ",'raidConfig':{'type':'raid1'}}";
        var text = "raidConfig cannot be added to or removed";
        assertRefused(text, change(two + "}", raid));
        assertRefused(text, change(raid, two + "}"));
    }

    @Test
    void u9RefusesToChangeRaid() {
        var three = A.replace("['/dev/a']", "['/dev/a','/dev/c','/dev/d']");
        assertRefused(
                "raidConfig is immutable",
                change(
                        three + ",'raidConfig':{'type':'raid1','mirrors':1}}",
                        three + ",'raidConfig':{'type':'raid1','mirrors':2}}"));
    }

    @Test
    void u9LetsPathsBeAddedToARaidClass() {
        var raid = ",'raidConfig':{'type':'raid1'}}";
        assertAccepted(
                change(
                        A.replace("['/dev/a']", "['/dev/a','/dev/c']") + raid,
                        A.replace("['/dev/a']", "['/dev/a','/dev/c','/dev/d']") + raid));
    }

    @Test
    void u10RefusesToChangeTheNodes() {
        var text = "nodeSelector cannot be added, removed or changed";
        assertRefused(text, change(A + "}", A + NODES + "}"));
        assertRefused(text, change(A + NODES + "}", A + "}"));
        assertRefused(text, change(A + NODES + "}", A + NODES.replace("'x'", "'y'") + "}"));
    }

    @ParameterizedTest
    @CsvSource({",true", ",false", "true,", "true,false", "false,true"})
    void u11RefusesToTouchTheWipeFlag(String before, String after) {
        assertRefused(
                "forceWipeDevicesAndDestroyAllData cannot be set, unset or changed",
                change(wipe(before), wipe(after)));
    }

    private static String wipe(String flag) {
        return flag == null
                ? A + "}"
                : A.replace("['/dev/a']", "['/dev/a'],'forceWipeDevicesAndDestroyAllData':" + flag)
                        + "}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"paths", "optionalPaths"})
    void u12RefusesPathsForAClassWithoutAny(String list) {
        assertRefused(
                "paths cannot be added",
                change(
                        "{'name':'a','default':true}",
                        "{'name':'a','default':true,'deviceSelector':{'"
                                + list
                                + "':['/dev/a']}}"));
    }

    @Test
    void u13RefusesToDropTheLastPath() {
        assertRefused(
                "at least one path must remain", change(A + "}", "{'name':'a','default':true}"));
    }

    @Test
    void checksBoundsOfAClassThatIsAdded() {
        assertRefused(
                "chunkSize must be at least 64Ki",
                ClusterRules.update(
                        classes(A + "}"), classes(A + "}", B + POOL + ",'chunkSize':'4Ki'}}")));
        var warnings =
                ClusterRules.update(
                                classes(A + "}"),
                                classes(
                                        A + "}",
                                        B + POOL + ",'metadataSizeCalculationPolicy':'Static'}}"))
                        .warnings();
        assertTrue(warnings.getLast().contains("1Gi will be used"), warnings::toString);
    }

    @Test
    void checksBoundsOfAPoolThatIsChanged() {
        var fixed = ",'metadataSizeCalculationPolicy':'Static','metadataSize':";
        assertRefused(
                "metadataSize must be at most 16Gi",
                change(A + POOL + fixed + "'1Gi'}}", A + POOL + fixed + "'17Gi'}}"));
    }

    @Test
    void leavesAPoolThatWasAcceptedOnceEditableElsewhere() {
        var old = A + POOL + ",'chunkSize':'4Ki'}";
        assertAccepted(
                change(old + "}", old + ",'storageClassOptions':{'additionalLabels':{'x':'y'}}}"));
    }

    @Test
    void aClassWithoutPathsMayChangeItsPolicy() {
        var open = "{'name':'a','default':true,'deviceDiscoveryPolicy':'%s'}";
        assertAccepted(change(open.formatted("Static"), open.formatted("Dynamic")));
        assertAccepted(change(open.formatted("Dynamic"), open.formatted("Static")));
    }

    @Test
    void severalClassesMayGoAtOnce() {
        var c = "{'name':'c','deviceSelector':{'paths':['/dev/c']}}";
        assertAccepted(ClusterRules.update(classes(A + "}", B + "}", c), classes(A + "}")));
    }

    @Test
    void theDefaultMovesBeforeItsClassGoes() {
        var before = classes(A + "}", B + "}");
        var moved = classes(A.replace(",'default':true", "") + "}", B + ",'default':true}");
        assertAccepted(ClusterRules.update(before, moved));
        assertAccepted(ClusterRules.update(moved, classes(B + ",'default':true}")));
    }

    @Test
    void anOptionalPathMayComeAndGo() {
        var both = A.replace("['/dev/a']", "['/dev/a'],'optionalPaths':['/dev/c']") + "}";
        assertAccepted(change(A + "}", both));
        assertAccepted(change(both, A + "}"));
    }

    @Test
    void u8RefusesToMakeAThinClassARaidClass() {
        var two = A.replace("['/dev/a']", "['/dev/a','/dev/c']");
        var errors =
                change(two + POOL + "}}", two + POOL + "},'raidConfig':{'type':'raid1'}}").errors();
        for (var text : List.of("mutually exclusive", "raidConfig cannot be added")) {
            assertTrue(errors.stream().anyMatch(e -> e.contains(text)), errors::toString);
        }
    }

    @Test
    void anExistingClassGetsNoneOfOurParametersEither() {
        var options =
                ",'storageClassOptions':{'additionalParameters':{'topolvm.io/device-class':'x'}}}";
        var errors = change(A + "}", A + options).errors();
        assertTrue(errors.stream().anyMatch(e -> e.contains("managed by LVMS")), errors::toString);
    }
}
