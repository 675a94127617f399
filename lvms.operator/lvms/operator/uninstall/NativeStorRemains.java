package lvms.operator.uninstall;

import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.MergePatch;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is left of what {@code deploy/nativestor} brings, and of what was made for it. Where
 * NativeStor's own programs serve a driver, its objects are theirs, and not here.
 *
 * @param installed roles, policies and types of {@code deploy/nativestor}, in the order in which
 *     they go
 * @param missing what the operator needs to end a TopolvmCluster and does not exist
 * @param clusters TopolvmClusters in the namespace of the installation
 * @param rawDevices RawDevices
 * @param configMaps NativeStor's settings, and the lists of the nodes' devices
 */
record NativeStorRemains(
        List<Item> installed,
        List<Manifests.Entry> missing,
        List<Item> clusters,
        List<Item> rawDevices,
        List<Item> configMaps) {
    /** An installation that nobody ever gave anything of NativeStor. */
    static final NativeStorRemains NONE =
            new NativeStorRemains(List.of(), List.of(), List.of(), List.of(), List.of());

    /** Returns whether the volume groups of a TopolvmCluster go with it. */
    static boolean cleansUp(Item cluster) {
        return TopolvmCluster.of(cluster.object()).spec().cleanup();
    }

    /** Returns the disks with content of a volume that is gone, each in a sentence. */
    List<String> unerased() {
        return rawDevices.stream()
                .map(item -> RawDevice.of(item.object()))
                .filter(RawDevice::toBeErased)
                .map(NativeStorRemains::unerased)
                .toList();
    }

    private static String unerased(RawDevice device) {
        return "RawDevice "
                + device.name()
                + ", "
                + device.spec().realPath()
                + " of node "
                + device.spec().nodeName()
                + ", still has what a volume left: wait until its node has erased it"
                + device.erasureFailure().map(why -> " (" + why + ")").orElse("");
    }

    /** Returns the steps that need nobody any more, the types last. */
    List<Step> steps() {
        var steps = new ArrayList<Step>();
        rawDevices.stream()
                .filter(item -> RawDevice.of(item.object()).held())
                .map(NativeStorRemains::abandon)
                .forEach(steps::add);
        if (!rawDevices.isEmpty()) {
            steps.add(
                    new Step.Delete(
                            "delete "
                                    + rawDevices.size()
                                    + (rawDevices.size() == 1 ? " RawDevice" : " RawDevices")
                                    + ", the list of the nodes' devices",
                            rawDevices));
        }
        Stream.concat(configMaps.stream(), installed.stream())
                .map(item -> new Step.Delete("delete " + item.text(), List.of(item)))
                .forEach(steps::add);
        return steps;
    }

    private static Step abandon(Item device) {
        return new Step.Change(
                "leave on its disk what a volume of " + device.text() + " has written",
                device,
                object -> MergePatch.of(object).annotation(RawDevice.CONTENT, RawDevice.ABANDONED));
    }
}
