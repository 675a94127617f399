/**
 * What a volume group is told if its class was listed node by node: names of its own in LVM and for
 * claims, what it keeps free, how it stripes, and what becomes of it in the end.
 *
 * <p>Begin with {@link lvms.api.listing.GroupListing}, a part of the spec of an {@link
 * lvms.api.LvmVolumeGroup}.
 *
 * {@snippet :
 * for (var object : kube.list(LvmVolumeGroup.TYPE, ListOptions.all()).items()) {
 *     var group = LvmVolumeGroup.of(object);
 *     System.out.println(group.deviceClass() + " is volume group " + group.volumeGroup());
 * }
 * }
 *
 * <p>Which devices it takes and how they are laid out is in {@link lvms.api.VolumeGroupTemplate},
 * as for every class.
 */
package lvms.api.listing;
