/**
 * Calls and watches of an API server.
 *
 * <p>Begin with {@link lvms.k8s.client.KubeClient}; {@link lvms.k8s.client.ApiException} has one
 * kind for each difference that a caller can act on, and {@link lvms.k8s.client.MergePatch} is the
 * usual way to change a few fields.
 *
 * {@snippet :
 * try (var open = KubeClient.open(KubeConfig.load(Optional.empty()), "my-tool/1.0")) {
 *     var kube = open.withFieldManager("my-tool");
 *     for (var pod : kube.list(Types.POD, ListOptions.all().namespace("default"))) {
 *         try {
 *             kube.mergePatch(Types.POD, MergePatch.of(pod).label("example.com/seen", "true"));
 *         } catch (ApiException.NotFound | ApiException.Conflict e) {
 *             System.out.println(pod.key() + " is gone");
 *         }
 *     }
 * }
 * }
 *
 * <p>The client repeats what is safe to repeat, within a deadline. It does not cache ({@code
 * lvms.k8s.informer} does); {@code lvms.k8s.exec} runs commands in pods and forwards their ports.
 */
package lvms.k8s.client;
