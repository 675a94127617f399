/**
 * What a disk says of itself, read from the disk without LVM, which may not list it: {@link
 * lvms.lvm2.label.PvLabel} reads LVM's label and metadata, and {@link lvms.lvm2.label.DeviceData}
 * tells whether there is anything at all. Knows no device but the one that it is given.
 */
package lvms.lvm2.label;
