/**
 * Reconcilers, driven by informers through a work queue.
 *
 * <p>Begin with {@link lvms.k8s.controller.Controller} and {@link lvms.k8s.controller.Reconciler};
 * {@link lvms.k8s.controller.Result} says what happens after a pass.
 *
 * {@snippet :
 * var controller =
 *         Controller.named(
 *                         "claims",
 *                         key -> {
 *                             claims.get(key).ifPresent(claim -> System.out.println(claim.key()));
 *                             return Result.requeueAfter(Duration.ofMinutes(10));
 *                         })
 *                 .watch(claims)
 *                 .workers(4)
 *                 .build();
 * controller.start();
 * }
 *
 * <p>Only one worker at a time has a key. The informers belong to their owner, who starts them
 * before the controllers and closes them afterwards. Controllers do not check leadership. A {@link
 * lvms.k8s.controller.Manager} does all of that for a whole process.
 */
package lvms.k8s.controller;
