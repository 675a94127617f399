/**
 * What is provably a predecessor's: {@link lvms.operator.takeover.proof.AccountRights} finds the
 * rights that nobody but its accounts has. A name is no proof.
 *
 * <pre>{@code
 * var rights = new AccountRights(reads, "nativestor-system", Set.of("topolvm-node"));
 * rights.all(name -> name.startsWith("topolvm-")).forEach(item -> delete(item));
 * }</pre>
 */
package lvms.operator.takeover.proof;
