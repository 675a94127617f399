package lvms.operator.overview;

import lvms.api.nativestor.NodeStorageState;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ListOptions;

import java.util.Comparator;
import java.util.List;

/**
 * What users of NativeStor have besides.
 *
 * @param clusters TopolvmClusters of all namespaces, by name
 * @param rawDevices RawDevices, by node and path
 * @param served whether the server knows TopolvmClusters
 */
public record NativeStorOverview(
        List<TopolvmCluster> clusters, List<RawDevice> rawDevices, boolean served) {
    /** The flag by which an operator carries TopolvmClusters out. */
    static final String FLAG = "--nativestor";

    /** A cluster that NativeStor never saw. */
    static final NativeStorOverview NONE = new NativeStorOverview(List.of(), List.of(), false);

    static NativeStorOverview read(TolerantReads reads) throws ApiException, InterruptedException {
        return new NativeStorOverview(
                reads.listIfServed(TopolvmCluster.TYPE, ListOptions.all(), TopolvmCluster::of),
                reads.listIfServed(RawDevice.TYPE, ListOptions.all(), RawDevice::of),
                reads.serves(TopolvmCluster.TYPE));
    }

    public NativeStorOverview {
        clusters =
                clusters.stream()
                        .sorted(
                                Comparator.comparing(
                                        (TopolvmCluster c) -> c.object().key().toString()))
                        .toList();
        rawDevices =
                rawDevices.stream()
                        .sorted(
                                Comparator.comparing((RawDevice d) -> d.spec().nodeName())
                                        .thenComparing(d -> d.spec().realPath())
                                        .thenComparing(RawDevice::name))
                        .toList();
    }

    /** Returns those that an operator has accepted. */
    List<TopolvmCluster> inCharge(String namespace) {
        return clusters.stream()
                .filter(c -> c.namespace().equals(namespace))
                .filter(c -> c.object().finalizers().contains(TopolvmCluster.FINALIZER))
                .toList();
    }

    /** Returns whether one of them is for a node. */
    boolean wants(String namespace, String node) {
        return inCharge(namespace).stream()
                .flatMap(c -> c.status().nodes().stream())
                .map(NodeStorageState::node)
                .anyMatch(node::equals);
    }
}
