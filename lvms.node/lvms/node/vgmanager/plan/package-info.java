/**
 * Decides what to do next about a volume group. {@link lvms.node.vgmanager.plan.VolumeGroupPlan}
 * takes a {@link lvms.node.vgmanager.plan.Situation} that was read before and returns a {@link
 * lvms.node.vgmanager.plan.Decision}: take a step, wait for something outside, or converged. It is
 * asked again after each step, so a pass that was killed has left nothing but a situation to start
 * from. Nothing here reads or touches a disk.
 */
package lvms.node.vgmanager.plan;
