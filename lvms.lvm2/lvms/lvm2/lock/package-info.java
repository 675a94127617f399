/** Whose turn it is within this process. Not exported. */
package lvms.lvm2.lock;
