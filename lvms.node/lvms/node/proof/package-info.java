/**
 * What has to be proven before something is destroyed. {@link lvms.node.proof.Proofs} decides; each
 * act has a record of evidence here, which the caller gathers right before it acts.
 */
package lvms.node.proof;
