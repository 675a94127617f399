/**
 * What the agents of all nodes say about LVM on their machines, for {@code lvms status}, {@code
 * lvms volumes}, {@code lvms doctor} and {@code lvms support-bundle}.
 *
 * <p>{@link lvms.operator.inspection.NodeInspection} runs {@code lvms ... --local} in the agents'
 * pods over exec, with the rights of whoever asks. The other types are pure: they read the JSON
 * that came back.
 *
 * <pre>{@code
 * var overview = Overview.read(kube, InstantSource.system());
 * var answers = new NodeInspection(kube, overview).json("volumes", "--local", "-o=json");
 * LvmReport.usage(answers.byNode()).forEach(section -> System.out.println(section.json()));
 * answers.gaps().forEach(System.err::println);
 * }</pre>
 *
 * <p>A node that gives no answer is one line in the gaps, and so is the missing right. The operator
 * does not do this: its ServiceAccount has no {@code pods/exec}.
 */
package lvms.operator.inspection;
