/**
 * What OpenShift's administrators say once for a whole cluster.
 *
 * <p>{@link lvms.operator.openshift.ClusterTls} is what they ask of every port with TLS:
 *
 * {@snippet :
 * var tls = new ClusterTls(kube);
 * tls.profile().ifPresent(profile -> System.out.println(profile.flags()));
 * var server = ServerTls.ofFolder(Path.of("/tls"), tls::bounds);
 * }
 *
 * <p>Which kind of cluster this is, {@code ClusterType} finds out. The objects that OpenShift needs
 * are units like all others.
 */
package lvms.operator.openshift;
