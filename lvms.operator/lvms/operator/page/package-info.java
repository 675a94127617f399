/**
 * The report of a cluster as one HTML page without scripts: nodes, classes, disks as maps of their
 * extents, pools with their last day, volumes, and findings with what to do.
 *
 * <p>Begin with {@link lvms.operator.page.ClusterReport}; what draws is pure, and knows no cluster.
 * {@code Html} is the only way for a text into the page, and escapes it.
 *
 * <pre>{@code
 * var overview = Overview.read(kube, InstantSource.system());
 * var installed = InstallationFindings.of(kube, overview.installation(), false);
 * var report = ClusterReport.read(kube, overview, installed, true, "lvms 1.0");
 * System.out.println(report.html());
 * report.gaps().forEach(System.err::println);
 * }</pre>
 *
 * <p>What LVM has on a node comes from {@code lvms report --local} there, over {@link
 * lvms.operator.inspection.NodeInspection}.
 */
package lvms.operator.page;
