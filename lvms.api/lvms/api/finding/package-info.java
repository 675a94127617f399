/**
 * What a person should know about a cluster or a machine, in the same words wherever it was found:
 * a {@link lvms.api.finding.Finding} says how bad it is, what is wrong, and what to do.
 *
 * <pre>{@code
 * var full = Finding.warning("vg1/pool", "its data is 91 % full", "add a disk");
 * if (full.urgent()) {
 *     System.out.println(FindingJson.of(List.of(full)));
 * }
 * }</pre>
 *
 * <p>Who finds something decides; nothing here looks at anything.
 */
package lvms.api.finding;
