/**
 * Reconcilers, driven by informers through a work queue.
 *
 * <p>Begin with {@link lvms.k8s.controller.Controller} and {@link lvms.k8s.controller.Reconciler};
 * {@link lvms.k8s.controller.Result} says what follows a pass.
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
 * <p>One worker at a time has a key. The informers stay their owner's, who starts them before and
 * closes them after the controllers. Leadership is not asked for here.
 */
package lvms.k8s.controller;
