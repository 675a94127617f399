/**
 * A Kubernetes API server in this process: start it, use it, break it.
 *
 * <p>Begin with {@link lvms.k8s.testkit.ApiServer}; {@link lvms.k8s.testkit.Options} says where it
 * listens, {@link lvms.k8s.testkit.Faults} what goes wrong, {@link lvms.k8s.testkit.CustomTypes}
 * brings types along. Clients reach it over HTTPS as they reach a real one, so the controller under
 * test is the one that ships, and {@code kubectl} works too:
 *
 * {@snippet :
 * try (var server = ApiServer.start();
 *         var kube = KubeClient.open(server.config(), "tests").withFieldManager("tests")) {
 *     var settings = KubeObject.create(Types.CONFIG_MAP, ObjectKey.of("default", "c1"));
 *     kube.create(Types.CONFIG_MAP, settings);
 *     server.faults().answer(request -> request.method().equals("PATCH"), 1, 503, "busy");
 *     server.faults().cutWatches();
 *     // start the controller with server.kubeconfigText(), await what it is to do
 *     server.faults().requests(); // what it asked for, in order
 * }
 * }
 *
 * <p>It runs only the controllers for garbage collection, namespace deletion and establishing
 * definitions: pods do not start and claims are not bound unless the test does it. There is no
 * authorization: any token may do everything. The real API server is the reference; {@link
 * lvms.k8s.testkit.Upstream} puts one behind the same faults and records.
 */
package lvms.k8s.testkit;
