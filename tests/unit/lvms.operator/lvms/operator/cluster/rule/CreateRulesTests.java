package lvms.operator.cluster.rule;

import static lvms.operator.cluster.Clusters.NAMESPACE;
import static lvms.operator.cluster.Clusters.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.k8s.object.ObjectKey;
import lvms.operator.cluster.rule.ClusterRules.Surroundings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** What a new LVMCluster may ask for. */
class CreateRulesTests {
    private static final Surroundings ALONE = new Surroundings(NAMESPACE, List.of());
    private static final String SELECTOR = "'deviceSelector':{'paths':['/dev/sda']}";
    private static final String POOL = "'name':'p','overprovisionRatio':10";

    private static Verdict judge(LvmCluster cluster) {
        return ClusterRules.create(cluster, ALONE);
    }

    /** One class with paths, which is the default, and these fields. */
    private static Verdict judge(String fields) {
        return judge(cluster("{'name':'a','default':true," + SELECTOR + fields + "}"));
    }

    private static Verdict judgePool(String fields) {
        return judge(",'thinPoolConfig':{" + POOL + fields + "}");
    }

    private static Verdict judgeRaid(String raid, String devices) {
        return judge(
                cluster(
                        "{'name':'a','default':true,'deviceSelector':{"
                                + devices
                                + "},'raidConfig':{"
                                + raid
                                + "}}"));
    }

    private static String paths(int count) {
        var paths = new StringBuilder("'paths':[");
        for (int i = 0; i < count; i++) {
            paths.append(i == 0 ? "" : ",").append("'/dev/d").append(i).append("'");
        }
        return paths.append("]").toString();
    }

    private static void assertAccepted(Verdict verdict) {
        assertEquals(new Verdict(List.of(), List.of()), verdict);
    }

    private static void assertRefused(String text, Verdict verdict) {
        assertEquals(1, verdict.errors().size(), verdict::toString);
        assertTrue(verdict.errors().getFirst().contains(text), verdict::toString);
    }

    private static void assertWarned(String text, Verdict verdict) {
        assertEquals(List.of(), verdict.errors());
        assertEquals(1, verdict.warnings().size(), verdict::toString);
        assertTrue(verdict.warnings().getFirst().contains(text), verdict::toString);
    }

    @Test
    void acceptsAClassWithPaths() {
        assertAccepted(judge(""));
        assertAccepted(judgePool(",'chunkSize':'256Ki'"));
        assertAccepted(judgePool(",'chunkSizeCalculationPolicy':'Host'"));
        assertAccepted(judgeRaid("'type':'raid1'", "'optionalPaths':['/dev/a','/dev/b']"));
        assertAccepted(judgeRaid("'type':'raid5','stripeSize':'64Ki'", paths(3)));
        assertAccepted(
                judge(
                        ",'storageClassOptions':{'additionalParameters':{'a':'b'},"
                                + "'additionalLabels':{'example.com/team':'x','empty':''}}"));
    }

    @Test
    void c1RefusesWhenTheOperatorDoesNotKnowItsNamespace() {
        var verdict =
                ClusterRules.create(
                        cluster("{'name':'a','default':true," + SELECTOR + "}"),
                        new Surroundings("", List.of()));
        assertRefused("cannot be verified", verdict);
    }

    @Test
    void c2RefusesAnotherNamespace() {
        var verdict =
                ClusterRules.create(
                        cluster("{'name':'a','default':true," + SELECTOR + "}"),
                        new Surroundings("other", List.of()));
        assertRefused("namespace of the operator, other", verdict);
        assertRefused("invalid namespace", verdict);
    }

    @Test
    void c3RefusesASecondClusterAndNamesTheFirst() {
        var verdict =
                ClusterRules.create(
                        cluster("{'name':'a','default':true," + SELECTOR + "}"),
                        new Surroundings(NAMESPACE, List.of(ObjectKey.of(NAMESPACE, "first"))));
        assertRefused("lvms-system/first", verdict);
        assertRefused("duplicates are not allowed", verdict);
    }

    @Test
    void c4WarnsOfAPoolThatLeavesLittleRoomForMetadata() {
        assertWarned("sizePercent is greater than 90", judgePool(",'sizePercent':100"));
        assertAccepted(judgePool(",'sizePercent':90"));
    }

    @Test
    void c5RefusesTwoDefaultsAndCountsThem() {
        assertRefused(
                "only one device class may be the default, but 2 are",
                judge(
                        cluster(
                                "{'name':'a','default':true," + SELECTOR + "}",
                                "{'name':'b','default':true,"
                                        + "'deviceSelector':{'paths':['/dev/sdb']}}")));
    }

    @Test
    void c6WarnsWithoutADefault() {
        assertWarned("no default device class", judge(cluster("{'name':'a'," + SELECTOR + "}")));
    }

    @Test
    void c7RefusesRaidWithAThinPool() {
        assertRefused(
                "device class \"a\": raidConfig and thinPoolConfig are mutually exclusive",
                judge(
                        cluster(
                                "{'name':'a','default':true,'deviceSelector':{"
                                        + paths(2)
                                        + "},'raidConfig':{'type':'raid1'},'thinPoolConfig':{"
                                        + POOL
                                        + "}}")));
    }

    @Test
    void c8RefusesMirrorsWhereThereAreNone() {
        assertRefused("mirrors is only for", judgeRaid("'type':'raid5','mirrors':1", paths(3)));
        assertAccepted(judgeRaid("'type':'raid10','mirrors':1", paths(4)));
    }

    @Test
    void c9RefusesStripesOfRaid1() {
        assertRefused(
                "stripes is not for raid1", judgeRaid("'type':'raid1','stripes':2", paths(2)));
    }

    @Test
    void c10RefusesAStripeSizeOfRaid1() {
        assertRefused(
                "stripeSize is not for raid1",
                judgeRaid("'type':'raid1','stripeSize':'64Ki'", paths(2)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-64Ki", "96Ki", "1k", "500m"})
    void c11RefusesAStripeSizeThatIsNoPowerOfTwo(String size) {
        assertRefused(
                "power of two", judgeRaid("'type':'raid5','stripeSize':'" + size + "'", paths(3)));
    }

    @Test
    void c12RefusesRaidWithoutPaths() {
        assertRefused(
                "raidConfig needs at least one path",
                judge(cluster("{'name':'a','default':true,'raidConfig':{'type':'raid1'}}")));
    }

    @ParameterizedTest
    @CsvSource({
        "raid1,1,'raid1 requires at least 2 devices, got 1'",
        "raid6,4,'raid6 requires at least 5 devices, got 4'",
        "raid10,2,'raid10 requires at least 4 devices, got 2'"
    })
    void c13RefusesTooFewDevices(String type, int count, String text) {
        assertRefused(text, judgeRaid("'type':'" + type + "'", paths(count)));
    }

    @Test
    void c14RefusesRaid10WithAnIncompleteSetOfMirrors() {
        assertRefused(
                "raid10 requires a multiple of 2 devices, got 5",
                judgeRaid("'type':'raid10'", paths(5)));
        assertAccepted(judgeRaid("'type':'raid10'", paths(4) + ",'optionalPaths':['/dev/more']"));
    }

    @Test
    void c15RefusesASelectorWithoutPaths() {
        assertRefused(
                "neither paths nor optionalPaths",
                judge(cluster("{'name':'a','default':true,'deviceSelector':{}}")));
    }

    @Test
    void c16RefusesSeveralClassesOfWhichOneTakesEverything() {
        assertRefused(
                "these have none: b, c",
                judge(
                        cluster(
                                "{'name':'a','default':true," + SELECTOR + "}",
                                "{'name':'b'}",
                                "{'name':'c'}")));
    }

    @Test
    void c17WarnsOfAClassThatTakesEverything() {
        assertWarned(
                "every disk that is free when the volume group is made on a node is taken",
                judge(cluster("{'name':'a','default':true}")));
        assertWarned( // the webhook that writes defaults has said Static by then
                "every disk that is free when the volume group is made on a node is taken",
                judge(cluster("{'name':'a','default':true,'deviceDiscoveryPolicy':'Static'}")));
    }

    @ParameterizedTest
    @CsvSource({"paths,': path sda'", "optionalPaths,'optional path sda'"})
    void c18RefusesAPathOutsideOfDev(String list, String text) {
        assertRefused(
                text,
                judge(
                        cluster(
                                "{'name':'a','default':true,'deviceSelector':{'"
                                        + list
                                        + "':['sda']}}")));
    }

    @Test
    void c19RefusesAPathNamedTwiceInAClass() {
        assertRefused(
                "optional device path /dev/sda is specified at multiple places in deviceClass a",
                judge(
                        cluster(
                                "{'name':'a','default':true,'deviceSelector':"
                                        + "{'paths':['/dev/sda'],"
                                        + "'optionalPaths':['/dev/sda']}}")));
        assertRefused(
                "device path /dev/sda is specified at multiple places in deviceClass a",
                judge(
                        cluster(
                                "{'name':'a','default':true,'deviceSelector':"
                                        + "{'paths':['/dev/sda','/dev/sda']}}")));
    }

    @Test
    void c19RefusesAPathOfTwoClassesForTheSameNodes() {
        assertRefused(
                "device path /dev/sda overlaps in two different deviceClasses a and b",
                judge(
                        cluster(
                                "{'name':'a','default':true," + SELECTOR + "}",
                                "{'name':'b'," + SELECTOR + "}")));
    }

    @Test
    void c19RefusesAnOptionalPathOfTwoClassesForTheSameNodes() {
        var optional =
                "{'name':'%s',%s'deviceSelector':{'paths':['/dev/%s'],'optionalPaths':['/dev/c']}}";
        assertRefused(
                "optional device path /dev/c overlaps in two different deviceClasses a and b",
                judge(
                        cluster(
                                optional.formatted("a", "'default':true,", "a"),
                                optional.formatted("b", "", "b"))));
    }

    @Test
    void c19LetsClassesForOtherNodesNameTheSamePath() {
        var nodes =
                ",'nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':"
                        + "[{'key':'zone','operator':'In','values':['x']}]}]}}";
        assertAccepted(
                judge(
                        cluster(
                                "{'name':'a','default':true," + SELECTOR + "}",
                                "{'name':'b'," + SELECTOR + nodes)));
    }

    @Test
    void c20RefusesAnotherFilesystem() {
        assertRefused("unsupported filesystem btrfs", judge(",'fstype':'btrfs'"));
    }

    @Test
    void c21RefusesAChunkSizeThatTheHostChooses() {
        assertRefused(
                "chunkSize must not be set",
                judgePool(",'chunkSizeCalculationPolicy':'Host','chunkSize':'128Ki'"));
    }

    @ParameterizedTest
    @CsvSource({"63Ki,at least 64Ki", "65535,at least 64Ki", "2Gi,at most 1Gi"})
    void c22RefusesAChunkSizeOutOfBounds(String size, String text) {
        assertRefused(text, judgePool(",'chunkSize':'" + size + "'"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"64Ki", "65536", "1Gi", "1024Mi"})
    void c22AcceptsTheBoundsHoweverTheyAreWritten(String size) {
        assertAccepted(judgePool(",'chunkSize':'" + size + "'"));
    }

    @Test
    void refusesToTrimAtARateThatWouldNotEnd() {
        assertRefused(
                "trim.rate must be at least 1Mi a second", judgePool(",'trim':{'rate':'1000'}"));
        assertAccepted(judgePool(",'trim':{'rate':'1Mi'}"));
        assertAccepted(judgePool(",'trim':{}"));
    }

    @Test
    void c23RefusesAMetadataSizeThatTheHostChooses() {
        assertRefused("metadataSize must not be set", judgePool(",'metadataSize':'1Gi'"));
    }

    @Test
    void c24WarnsOfTheMetadataSizeThatIsUsed() {
        assertWarned("1Gi will be used", judgePool(",'metadataSizeCalculationPolicy':'Static'"));
    }

    @ParameterizedTest
    @CsvSource({"1Mi,at least 2Mi", "17Gi,at most 16Gi"})
    void c25RefusesAMetadataSizeOutOfBounds(String size, String text) {
        assertRefused(
                text,
                judgePool(
                        ",'metadataSizeCalculationPolicy':'Static','metadataSize':'" + size + "'"));
    }

    @Test
    void c26WarnsOfAClassThatTakesWhateverAppears() {
        var verdict =
                judge(
                        cluster(
                                "{'name':'a','default':true,"
                                        + "'deviceDiscoveryPolicy':'Dynamic'}"));
        assertEquals(List.of(), verdict.errors());
        assertTrue(verdict.warnings().getLast().contains("every free disk that is attached"));
        assertAccepted(judge(",'deviceDiscoveryPolicy':'Dynamic'"));
    }

    @Test
    void c27RefusesAnEmptyParameterKey() {
        assertRefused(
                "empty key", judge(",'storageClassOptions':{'additionalParameters':{'':'x'}}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"topolvm.io/device-class", "csi.storage.k8s.io/fstype"})
    void c28RefusesOurOwnParameters(String key) {
        assertRefused(
                "managed by LVMS",
                judge(",'storageClassOptions':{'additionalParameters':{'" + key + "':'x'}}"));
    }

    @Test
    void c29RefusesALabelKeyThatIsNone() {
        assertRefused(
                "additionalLabels key",
                judge(",'storageClassOptions':{'additionalLabels':{'a b':'x'}}"));
    }

    @Test
    void c30RefusesALabelValueThatIsNone() {
        assertRefused("invalid", judge(",'storageClassOptions':{'additionalLabels':{'a':'x y'}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app.kubernetes.io/managed-by",
                "app.kubernetes.io/part-of",
                "app.kubernetes.io/name",
                "app.kubernetes.io/component",
                "owned-by.topolvm.io/uid",
                "owned-by.topolvm.io"
            })
    void c31AndC32RefuseLabelsOfTheOperator(String key) {
        assertRefused(
                "operator-reserved",
                judge(",'storageClassOptions':{'additionalLabels':{'" + key + "':'x'}}"));
    }

    @Test
    void refusesANameThatDoesNotFitAnAnnotation() {
        assertRefused(
                "at most 63 characters, not 64",
                judge(
                        cluster(
                                "{'name':'"
                                        + "a".repeat(64)
                                        + "','default':true,"
                                        + SELECTOR
                                        + "}")));
    }

    @Test
    void namesEveryMistakeAtOnceInTheOrderOfTheRules() {
        var verdict =
                judge(
                        cluster(
                                "{'name':'a','default':true,'fstype':'btrfs'}",
                                "{'name':'b','default':true," + SELECTOR + "}"));
        assertEquals(3, verdict.errors().size());
        assertTrue(verdict.errors().get(0).contains("only one device class"));
        assertTrue(verdict.errors().get(1).contains("these have none: a"));
        assertTrue(verdict.errors().get(2).contains("unsupported filesystem"));
    }
}
