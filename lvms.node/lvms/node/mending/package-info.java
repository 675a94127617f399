/**
 * What killed commands left in the groups of this node is mended without being asked for: {@link
 * lvms.node.mending.UnfinishedDevices} looks every few seconds. What there is to mend, and how, is
 * LVM's side of it: {@link lvms.lvm2.VolumeGroups#mend}.
 */
package lvms.node.mending;
