/**
 * What people see of one machine: its groups, pools and volumes, and what is wrong with them. It
 * reads, and never changes anything.
 */
package lvms.node.doctor;
