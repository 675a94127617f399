/**
 * The kinds of NativeStor (topolvm-operator) as records.
 *
 * <p>Begin with {@link lvms.api.nativestor.TopolvmCluster}: what is asked for is its spec, what
 * became of it on each node a {@link lvms.api.nativestor.NodeStorageState}. A {@link
 * lvms.api.nativestor.RawDevice} is one disk or partition of a node that a claim can have whole:
 *
 * {@snippet :
 * for (var object : kube.list(RawDevice.TYPE, ListOptions.all()).items()) {
 *     var device = RawDevice.of(object);
 *     if (device.free()) {
 *         System.out.println(device.spec().nodeName() + " " + device.spec().realPath());
 *     }
 * }
 * }
 *
 * <p>The operator carries a TopolvmCluster out by LVMVolumeGroups, see {@link
 * lvms.api.listing.GroupListing}. The names, the fields and the hashes are NativeStor's. What it
 * does not know is in annotations, which its programs leave alone.
 */
package lvms.api.nativestor;
