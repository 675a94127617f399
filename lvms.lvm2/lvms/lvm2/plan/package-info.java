/**
 * How large a volume could be made now: LVM's allocator as a pure function of the extents of a
 * group.
 *
 * <p>Begin with {@link lvms.lvm2.plan.CapacityPlanner}: from an {@link
 * lvms.lvm2.plan.ExtentLayout}, which is what a report says about the extents, and a {@link
 * lvms.lvm2.plan.VolumeShape}, it computes the largest size that {@code lvcreate} would take, and
 * why it would take no more. {@link lvms.lvm2.plan.GroupPlanner} says by how much volumes and pools
 * of a group can still grow.
 *
 * {@snippet :
 * try (var lvm = LvmCommands.open(LvmOptions.defaults())) {
 *     var layout = ExtentLayout.of(lvm.groups().report("vg1").orElseThrow());
 *     var planner = new CapacityPlanner(AllocationSettings.DEFAULTS);
 *     var most = planner.largest(layout, VolumeShape.raid5(2));
 *     System.out.println(most.sizeBytes() + " bytes, no more because of " + most.limit());
 *     System.out.println(planner.fits(layout, VolumeShape.striped(3), 10L << 30));
 * }
 * }
 *
 * <p>Nothing here runs a command or knows what others are about to take: reserving room is the
 * caller's business. Growth of RAID volumes is not planned.
 */
package lvms.lvm2.plan;
