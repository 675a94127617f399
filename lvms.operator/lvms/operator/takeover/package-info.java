/**
 * Takes the place of another system that serves the same driver, and gives it back: {@code lvms
 * takeover}, with the rights of whoever calls it.
 *
 * <p>Begin with {@link lvms.operator.takeover.Takeover}. A {@code Predecessor} knows what belongs
 * to one system, and what becomes of it; the packages below read what it left; all else is the same
 * for each. Nothing that holds data is touched: volumes, their objects, groups and pools stay, and
 * so does what is mounted.
 *
 * <pre>{@code
 * var takeover = new Takeover(kube, "lvms", "openshift-storage");
 * var agenda = takeover.plan();
 * agenda.obstacles().forEach(System.err::println);
 * if (agenda.obstacles().isEmpty()) {
 *     takeover.run(agenda, Duration.ofMinutes(5), System.out::println);
 * }
 * }</pre>
 *
 * <p>What it removes is kept in a ConfigMap, from which it is put back, until somebody confirms.
 */
package lvms.operator.takeover;
