/** What the other packages say about the machine: programs, device numbers, errors of C. */
package lvms.lvm2.system;
