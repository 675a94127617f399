/**
 * Block devices, what is on them, mounts, device-mapper status, and programs: the machine below and
 * above LVM, read from sysfs and procfs or by system calls.
 */
package lvms.lvm2.device;
