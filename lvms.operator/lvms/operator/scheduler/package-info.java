/**
 * TopoLVM's scheduler extender: kube-scheduler asks it which nodes have room for the volumes of a
 * pod, and which of them it should prefer.
 *
 * <p>Begin with {@link lvms.operator.scheduler.ExtenderPages}. It knows no cluster: what a pod
 * wants is in the pod's annotations, and what a node has in the Node's, and both come with the
 * question.
 *
 * {@snippet :
 * var settings = ExtenderSettings.parse("listen: localhost:9251\ndivisors: {ssd: 10}");
 * var pages = new ExtenderPages(Driver.TOPOLVM, settings.divisors());
 * HttpListener.start(new InetSocketAddress("localhost", 9251), ExtenderPages.LIMITS, pages);
 * }
 *
 * <p>Whoever writes the pod's annotations is the pod webhook, and the Node's the node agent.
 */
package lvms.operator.scheduler;
