/** Bigger volumes for claims that ask for more. */
package lvms.operator.resize;
