/**
 * Machines for tests: User-Mode Linux processes with disks of their own on a private network. Needs
 * root, and what {@code tests/lab/kernel.sh} fetches.
 */
package lvms.tests.lab.machine;
