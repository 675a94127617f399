/**
 * Caches of API objects that follow the server.
 *
 * <p>{@link lvms.k8s.informer.Informer} holds one collection in memory, with indexes and handlers.
 * After a write through it, its next read shows what was written.
 *
 * {@snippet :
 * try (var pods =
 *         Informer.of(kube, Types.POD)
 *                 .namespace("default")
 *                 .index("node", pod -> pod.text("spec", "nodeName").stream().toList())
 *                 .build()) {
 *     pods.addHandler((before, after) -> after.ifPresent(pod -> System.out.println(pod.key())));
 *     pods.start();
 *     pods.awaitSync(Duration.ofSeconds(30));
 *     for (var pod : pods.list()) {
 *         pods.patch(MergePatch.of(pod).annotation("example.com/seen", "true"));
 *     }
 * }
 * }
 *
 * <p>An informer goes on for ever, whatever fails. It resyncs only handlers that ask for it (ADR
 * 21, ADR 108). {@link lvms.k8s.informer.SharedInformers} gives the parts of a program one informer
 * for each type and selection.
 */
package lvms.k8s.informer;
