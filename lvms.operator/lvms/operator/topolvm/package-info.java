/**
 * What an installation of TopoLVM consists of, as somebody else than TopoLVM sees it: its programs,
 * the release of Helm, its files, and its LogicalVolumes on their way from the old name.
 *
 * <p>Begin with {@link lvms.operator.topolvm.TopolvmPrograms}, which finds where it runs.
 *
 * <pre>{@code
 * var programs = new TopolvmPrograms(new Reads(kube));
 * for (var namespace : programs.namespaces(Driver.TOPOLVM)) {
 *     programs.in(namespace).forEach(workload -> System.out.println(workload.text()));
 * }
 * }</pre>
 *
 * <p>What becomes of it is decided in {@code takeover}.
 */
package lvms.operator.topolvm;
