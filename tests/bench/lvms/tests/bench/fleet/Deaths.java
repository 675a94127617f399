package lvms.tests.bench.fleet;

import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.tests.bench.cluster.Crowd;
import lvms.tests.bench.cluster.Report;
import lvms.tests.bench.cluster.Watched;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A tenth of the agents is killed when half of the claims are bound, and does not come back: what
 * becomes of the claims of the others, and what those of the dead say.
 */
record Deaths(FleetPlane plane, Fleet fleet, FleetOptions options, Watched watched) {
    private static final String SELECTED = "volume.kubernetes.io/selected-node";

    /** How long the claims of the dead have to say what is wrong. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    void run() throws Exception {
        var crowd = new Crowd(plane.kube(), watched);
        var killer = Thread.ofVirtual().name("killer").start(this::killInTheMiddle);
        double create =
                crowd.claimsOfPods(
                        FleetPlane.STORAGE_CLASS, options.nodesOfClaims(), this::othersAreBound);
        killer.join();
        Thread.sleep(SILENCE);
        Report.head(
                "%d of %d agents die when half of %d claims are bound"
                        .formatted(options.dying(), options.agents(), options.claims()));
        Report.row("all Bound of the other nodes", create, 0, 0, 0);
        var broken = broken();
        print(broken.size() + " volumes of the other nodes are not as they should be", broken);
        print(pending().size() + " claims of the dead wait; their Events", events());
        crowd.removePodsWithoutKubelet();
        double remove = crowd.removeClaims(this::othersAreGone);
        System.out.println();
        Report.row("all gone of the other nodes", remove, 0, 0, 0);
        print("what stays of the dead", left());
    }

    private void killInTheMiddle() {
        try {
            watched.await(
                    "half of the claims are bound",
                    System.nanoTime(),
                    () -> claims().stream().filter(Deaths::bound).count() * 2 >= options.claims());
            fleet.killSome();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<KubeObject> claims() {
        return watched.list(Types.PVC, Crowd.NAMESPACE);
    }

    private static boolean bound(KubeObject claim) {
        return claim.text("status", "phase").orElse("").equals("Bound");
    }

    private boolean othersAreBound() {
        var claims = claims();
        return claims.size() == options.claims()
                && claims.stream().allMatch(claim -> bound(claim) || isOfTheDead(claim));
    }

    private boolean isOfTheDead(KubeObject claim) {
        return claim.annotation(SELECTED).filter(fleet::dies).isPresent();
    }

    private List<KubeObject> pending() {
        return claims().stream().filter(claim -> !bound(claim)).toList();
    }

    private boolean dead(KubeObject volume) {
        return fleet.dies(volume.text("spec", "nodeName").orElseThrow());
    }

    private List<KubeObject> volumes() {
        return watched.list(LogicalVolume.TYPE, "");
    }

    /** Volumes of living nodes without a volume id, or with a failure. */
    private Map<String, Long> broken() {
        return counted(
                volumes().stream()
                        .filter(volume -> !dead(volume))
                        .map(LogicalVolume::tolerant)
                        .map(LogicalVolume::status)
                        .filter(s -> s.volumeId().isEmpty() || !s.message().isEmpty())
                        .map(status -> status.code() + " " + status.message())
                        .toList());
    }

    private Map<String, Long> events() throws ApiException, InterruptedException {
        var names = pending().stream().map(KubeObject::name).collect(Collectors.toSet());
        var options = ListOptions.all().namespace(Crowd.NAMESPACE);
        return counted(
                plane.kube().list(Types.EVENT, options).items().stream()
                        .filter(
                                e ->
                                        e.text("regarding", "kind")
                                                .orElse("")
                                                .equals(Types.PVC.kind()))
                        .filter(e -> names.contains(e.text("regarding", "name").orElse("")))
                        .map(e -> e.text("reason").orElse("") + ": " + e.text("note").orElse(""))
                        .toList());
    }

    private boolean othersAreGone() {
        var ofTheDead =
                volumes().stream()
                        .filter(this::dead)
                        .map(KubeObject::name)
                        .collect(Collectors.toSet());
        return ofTheDead.size() == volumes().size()
                && watched.list(Types.PV, "").stream()
                        .allMatch(volume -> ofTheDead.contains(volume.name()));
    }

    private Map<String, Long> left() {
        var left = new TreeMap<String, Long>();
        left.put("LogicalVolumes", (long) volumes().size());
        left.put("PersistentVolumes", (long) watched.list(Types.PV, "").size());
        return left;
    }

    /** Texts that differ only in names count as the same. */
    private static Map<String, Long> counted(List<String> texts) {
        return texts.stream()
                .map(text -> text.replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "UID"))
                .map(text -> text.replaceAll("\\bn\\d+\\b", "NODE"))
                .map(text -> text.replaceAll("bench-\\d+", "CLAIM"))
                .collect(
                        Collectors.groupingBy(
                                Function.identity(), TreeMap::new, Collectors.counting()));
    }

    private static void print(String title, Map<String, Long> counts) {
        System.out.printf("%n%s%n%n", title);
        counts.forEach((text, count) -> System.out.printf("  %5d  %s%n", count, text));
    }
}
