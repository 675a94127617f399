/**
 * What NativeStor (topolvm-operator) leaves in a cluster: {@link
 * lvms.operator.takeover.nativestor.StorWorkloads} finds what runs, {@link
 * lvms.operator.takeover.nativestor.StorLeftOvers} what nobody needs after it, and {@link
 * lvms.operator.takeover.nativestor.StorState} says what its objects tell: what is in the way of a
 * take-over, and what a person should know. What is done about it is up to the package above.
 *
 * <pre>{@code
 * for (var found : new StorWorkloads(reads, "nativestor-system").all()) {
 *     System.out.println(found.item().text() + ": " + found.role());
 * }
 * }</pre>
 */
package lvms.operator.takeover.nativestor;
