/**
 * What a person wants to know about an installation: {@code lvms status}, {@code lvms volumes},
 * {@code lvms doctor}, {@code lvms explain pvc} and {@code lvms support-bundle}. It only reads,
 * with the rights of whoever asks.
 *
 * <p>Begin with {@link lvms.operator.overview.Overview}, which reads the objects. {@code
 * StatusReport} and {@code VolumeReport} make tables of it, {@code ClusterFindings} says what is
 * wrong, {@code ClaimExplanation} why a claim waits; all four are pure. {@code SupportBundle}
 * collects the objects themselves, and logs. What the caller may not read is one line in {@code
 * gaps}, and the rest is still there.
 *
 * <pre>{@code
 * var overview = Overview.read(kube, InstantSource.system());
 * StatusReport.of(overview).forEach(section -> System.out.println(section.json()));
 * overview.gaps().forEach(System.err::println);
 * }</pre>
 *
 * <p>It asks no node: what is on the disks is known as far as nodes report it in objects. {@code
 * lvms.operator.inspection} asks their agents.
 */
package lvms.operator.overview;
