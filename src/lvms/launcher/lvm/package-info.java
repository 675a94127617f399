/** How the processes of this module find and open the LVM of their node. */
package lvms.launcher.lvm;
