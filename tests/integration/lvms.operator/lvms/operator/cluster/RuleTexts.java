package lvms.operator.cluster;

import java.util.List;

/**
 * Each rule once: what breaks it, and what a person then reads. The numbers are those of {@code
 * CreateRulesTests} and {@code UpdateRulesTests}, which try the bounds.
 */
final class RuleTexts {
    /** Of device classes, separated by a vertical bar, with what is said of the LVMCluster. */
    record Case(String rule, String classes, String text) {
        String[] split() {
            return RuleTexts.split(classes);
        }
    }

    /** What is said of changes, to the device classes that there were before. */
    record Changes(String classes, List<Case> cases) {
        String[] before() {
            return RuleTexts.split(classes);
        }

        @Override
        public String toString() {
            return cases.stream().map(Case::rule).toList().toString();
        }
    }

    private static String[] split(String classes) {
        return classes.isEmpty() ? new String[0] : classes.split("\\|");
    }

    private static final String A = "{'name':'a','default':true,'deviceSelector':{'paths':[%s]}%s}";
    private static final String ONE = "'/dev/a'";
    private static final String TWO = "'/dev/a','/dev/b'";
    private static final String THREE = "'/dev/a','/dev/b','/dev/c'";
    private static final String B = "|{'name':'b','deviceSelector':{'paths':['/dev/z']}%s}";
    private static final String WIPED =
            "],'forceWipeDevicesAndDestroyAllData':true,'optionalPaths':[";
    private static final String POOL =
            ",'thinPoolConfig':{'name':'thin-pool-1','overprovisionRatio':10%s}";
    private static final String STATIC = ",'metadataSizeCalculationPolicy':'Static'";
    private static final String OPTIONS = ",'storageClassOptions':{%s}";

    /** Each is refused or warned of when the LVMCluster is created. */
    static final List<Case> CREATE =
            List.of(
                    one("C4", pool(",'sizePercent':100"), "sizePercent is greater than 90"),
                    of("C5", a(ONE, "") + b(",'default':true"), "only one device class may be the"),
                    of("C6", b("").substring(1), "no default device class"),
                    of("C7", a(TWO, raid("'type':'raid1'") + pool("")), "mutually exclusive"),
                    of("C8", a(THREE, raid("'type':'raid5','mirrors':1")), "mirrors is only for"),
                    of("C9", a(TWO, raid("'type':'raid1','stripes':2")), "stripes is not for"),
                    of("C10", a(TWO, raid("'type':'raid1','stripeSize':'64Ki'")), "stripeSize is"),
                    of("C11", a(THREE, raid("'type':'raid5','stripeSize':'96Ki'")), "power of two"),
                    of(
                            "C12",
                            "{'name':'a','default':true,'raidConfig':{'type':'raid1'}}",
                            "raidConfig needs at least one path"),
                    of("C13", a(ONE, raid("'type':'raid1'")), "requires at least 2 devices, got 1"),
                    of(
                            "C14",
                            a(TWO + ",'/dev/c','/dev/d','/dev/e'", raid("'type':'raid10'")),
                            "requires a multiple of 2 devices, got 5"),
                    of(
                            "C15",
                            "{'name':'a','default':true,'deviceSelector':{}}",
                            "neither paths nor optionalPaths"),
                    of("C16", a(ONE, "") + "|{'name':'c'}", "these have none: c"),
                    of("C17", "{'name':'a','default':true}", "every disk that is free when"),
                    of("C18", a("'sda'", ""), "path sda"),
                    of("C19", a("'/dev/a','/dev/a'", ""), "specified at multiple places in"),
                    one("C20", ",'fstype':'btrfs'", "btrfs"),
                    one(
                            "C21",
                            pool(",'chunkSizeCalculationPolicy':'Host','chunkSize':'128Ki'"),
                            "chunkSize must not be set"),
                    one("C22", pool(",'chunkSize':'4Ki'"), "chunkSize must be at least 64Ki"),
                    one("C23", pool(",'metadataSize':'1Gi'"), "metadataSize must not be set"),
                    one("C24", pool(STATIC), "1Gi will be used"),
                    one("C25", pool(STATIC + ",'metadataSize':'17Gi'"), "must be at most 16Gi"),
                    of(
                            "C26",
                            "{'name':'a','default':true,'deviceDiscoveryPolicy':'Dynamic'}",
                            "every free disk that is attached"),
                    one("C27", options("'additionalParameters':{'':'x'}"), "empty key"),
                    one(
                            "C28",
                            options("'additionalParameters':{'topolvm.io/device-class':'x'}"),
                            "managed by LVMS"),
                    one("C29", options("'additionalLabels':{'a b':'x'}"), "additionalLabels key"),
                    one("C30", options("'additionalLabels':{'a':'x y'}"), "invalid"),
                    one(
                            "C31",
                            options("'additionalLabels':{'app.kubernetes.io/name':'x'}"),
                            "operator-reserved"),
                    one(
                            "C32",
                            options("'additionalLabels':{'owned-by.topolvm.io/uid':'x'}"),
                            "operator-reserved"));

    /** Each is refused or warned of as a change. */
    static final List<Changes> UPDATE =
            List.of(
                    new Changes(
                            a(ONE, pool("")),
                            List.of(
                                    one(
                                            "U1",
                                            pool("") + options("'reclaimPolicy':'Retain'"),
                                            "is immutable"),
                                    of("U2", "", "at least one device class must remain"),
                                    of(
                                            "U3",
                                            b("").substring(1),
                                            "cannot delete default device class"),
                                    one("U4", "", "thinPoolConfig"),
                                    one(
                                            "U5",
                                            pool(",'sizePercent':80"),
                                            "thinPoolConfig.sizePercent"),
                                    one("U6", pool(STATIC), "1Gi will be used"),
                                    of("U8", a(TWO, raid("'type':'raid1'")), "raidConfig"),
                                    one(
                                            "U10",
                                            pool("")
                                                    + ",'nodeSelector':{'nodeSelectorTerms':[{"
                                                    + "'matchExpressions':"
                                                    + "[{'key':'x','operator':'Exists'}]}]}",
                                            "nodeSelector"),
                                    of(
                                            "U11",
                                            a(ONE + WIPED, pool("")),
                                            "forceWipeDevicesAndDestroyAllData cannot be set, unset"
                                                    + " or changed"),
                                    of(
                                            "U13",
                                            "{'name':'a','default':true" + pool("") + "}",
                                            "at least one path must remain"))),
                    new Changes(
                            a(ONE, pool(STATIC + ",'metadataSize':'2Gi'")),
                            List.of(one("U7", pool(STATIC), "can only be increased"))),
                    new Changes(
                            a(TWO, raid("'type':'raid1'")),
                            List.of(
                                    of(
                                            "U9",
                                            a(THREE, raid("'type':'raid1','mirrors':2")),
                                            "raidConfig is immutable"))),
                    new Changes(
                            "{'name':'a','default':true" + pool("") + "}",
                            List.of(one("U12", pool(""), "class that was initialised without"))));

    private RuleTexts() {}

    private static Case of(String rule, String classes, String text) {
        return new Case(rule, classes, text);
    }

    private static Case one(String rule, String fields, String text) {
        return new Case(rule, a(ONE, fields), text);
    }

    private static String a(String paths, String fields) {
        return A.formatted(paths, fields);
    }

    private static String b(String fields) {
        return B.formatted(fields);
    }

    private static String pool(String fields) {
        return POOL.formatted(fields);
    }

    private static String raid(String fields) {
        return ",'raidConfig':{" + fields + "}";
    }

    private static String options(String fields) {
        return OPTIONS.formatted(fields);
    }
}
