/** Typed LVM: volume groups, thin pools, logical volumes, snapshots; start at {@link Lvm}. */
package lvms.lvm2;
