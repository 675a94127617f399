/** The CSI community's own suite, csi-sanity, against both sockets of the driver. */
package lvms.tests.sanity;
