/**
 * What to do next about a volume group: pure decisions over a {@link
 * lvms.node.vgmanager.plan.Situation} that was read before. Nothing here touches a disk.
 */
package lvms.node.vgmanager.plan;
