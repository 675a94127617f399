package lvms.operator.page;

import static java.lang.System.Logger.Level.DEBUG;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.overview.Installation;
import lvms.operator.overview.NativeStorOverview;
import lvms.operator.overview.Overview;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the operator's caches say of an installation. They have no pods, snapshots and disks, so
 * nothing is concluded from those.
 *
 * @param namespace of the operator
 */
record CachedOverview(OperatorInformers informers, String namespace) {
    private static final System.Logger LOG = System.getLogger(CachedOverview.class.getName());

    /** The disks of a status are not kept either, so for findings it counts as unread. */
    private static final Set<ResourceType> UNREAD =
            Set.of(Types.POD, Types.VOLUME_SNAPSHOT_CONTENT, LvmVolumeGroupNodeStatus.TYPE);

    private static final String GAP =
            "the operator made this page from what it has in memory. Disks, extents, pools, pods,"
                    + " snapshots and TopolvmClusters are not on it: lvms report --html=FILE shows"
                    + " them with your rights";

    Overview at(Instant now) {
        var persistentVolumes =
                sorted(informers.persistentVolumes())
                        .filter(pv -> informers.drivers().ofVolume(pv).isPresent())
                        .toList();
        return new Overview(
                new Installation(Installation.Form.OPERATOR, namespace, Driver.TOPOLVM),
                informers.drivers(),
                Drivers.oldServed(informers.csiDrivers().list()),
                read(informers.clusters(), LvmCluster::of),
                read(informers.volumeGroups(), LvmVolumeGroup::of),
                read(informers.nodeStatuses(), LvmVolumeGroupNodeStatus::of),
                informers
                        .everyLogicalVolume()
                        .sorted(Comparator.comparing(volume -> volume.name()))
                        .toList(),
                persistentVolumes,
                persistentVolumes.stream()
                        .collect(Collectors.toMap(CachedOverview::handle, pv -> pv, (a, _) -> a)),
                List.of(),
                sorted(informers.nodes()).toList(),
                informers.csiNodes().list(),
                List.of(),
                new NativeStorOverview(List.of(), List.of(), false),
                UNREAD,
                List.of(GAP),
                now);
    }

    private static String handle(KubeObject persistentVolume) {
        return persistentVolume.text("spec", "csi", "volumeHandle").orElse("");
    }

    private static Stream<KubeObject> sorted(Informer informer) {
        return informer.list().stream().sorted(Comparator.comparing(KubeObject::name));
    }

    /** The conditions of the cluster tell of an object that the schema does not allow. */
    private static <T> List<T> read(Informer informer, Function<KubeObject, T> as) {
        return sorted(informer)
                .flatMap(
                        object -> {
                            try {
                                return Stream.of(as.apply(object));
                            } catch (IllegalArgumentException e) {
                                LOG.log(DEBUG, () -> "not on the page object=" + object.key());
                                return Stream.empty();
                            }
                        })
                .toList();
    }
}
