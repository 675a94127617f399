/**
 * What disks a node has, told to those who cannot look themselves.
 *
 * <p>{@link lvms.node.survey.DiskSurvey} describes the devices; {@link lvms.node.survey.DiskReport}
 * publishes what it finds in the LVMVolumeGroupNodeStatus of the node. {@link lvms.node.LocalDisks}
 * finds the same where no agent runs. Nothing here changes a disk.
 */
package lvms.node.survey;
