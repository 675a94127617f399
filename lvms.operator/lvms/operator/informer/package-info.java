/** What the operator follows, trimmed to what it reads. */
package lvms.operator.informer;
