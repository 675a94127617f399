/**
 * How large a volume could be made now: LVM's allocator as a pure function of the extents of a
 * group.
 *
 * <p>{@link lvms.lvm2.plan.ExtentLayout} is what a report says of the extents, {@link
 * lvms.lvm2.plan.VolumeShape} the kind of volume, and {@link lvms.lvm2.plan.CapacityPlanner} gives
 * the largest size that {@code lvcreate} would take, and why it would not take more. Nothing here
 * runs a command.
 */
package lvms.lvm2.plan;
