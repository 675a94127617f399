/** The two halves of the operator, each wired in one class: clusters and volumes. */
package lvms.operator;
