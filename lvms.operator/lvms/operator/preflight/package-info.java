/**
 * What is in the way of an installation, before anything is installed: {@code lvms check}, with the
 * rights of whoever calls it.
 *
 * <p>{@link lvms.operator.preflight.ServerChecks} asks the API server; {@link
 * lvms.operator.preflight.MachineChecks} judges what a look at a node found, and is pure.
 *
 * <pre>{@code
 * var checks = new ArrayList<>(ServerChecks.of(kube, "lvms-system"));
 * var answer = Json.parse("{\"machine\": {\"kernel\": \"6.1\"}, \"disks\": []}").asObject();
 * checks.addAll(MachineChecks.of(new TreeMap<>(Map.of("n1", answer))));
 * checks.stream().filter(check -> check.isProblem()).forEach(System.err::println);
 * }</pre>
 *
 * <p>It only reads, and asks the server what the caller may do. Who looks at nodes, and whether
 * anybody may, is the caller's business.
 */
package lvms.operator.preflight;
