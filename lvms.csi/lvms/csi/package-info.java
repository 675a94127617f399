/** A socket of the driver and what every one of them says of it. */
package lvms.csi;
