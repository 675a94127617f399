/** Claims and classes as the operator reads them, and when a failed one is tried again. */
package lvms.operator.claim;
