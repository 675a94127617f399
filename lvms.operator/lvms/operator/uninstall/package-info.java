/**
 * The end of an installation: {@code lvms uninstall}, with the rights of whoever calls it.
 *
 * <p>Begin with {@link lvms.operator.uninstall.Uninstallation}. {@code Survey} reads what is left,
 * {@code Obstacles} says what a person has to do or say first, {@code UninstallPlan} makes the
 * steps (both pure), and {@code Uninstaller} does them. {@code Manifests} lists what {@code deploy}
 * and {@code deploy/guard} install.
 *
 * <pre>{@code
 * var end = Uninstallation.plan(kube, new Wishes(Wishes.Disks.BLANK, Set.of(), Set.of()));
 * end.obstacles().forEach(System.err::println);
 * if (end.obstacles().isEmpty()) {
 *     end.run(Duration.ofMinutes(5), System.out::println);
 * }
 * }</pre>
 *
 * <p>It touches no disk: node agents do that, as long as they can be run. Where they cannot, only
 * objects go, and only if that was asked for.
 */
package lvms.operator.uninstall;
