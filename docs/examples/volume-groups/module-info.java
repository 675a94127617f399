/** Lists the volume groups of this machine. */
module example.groups {
    requires lvms.lvm2;
}
