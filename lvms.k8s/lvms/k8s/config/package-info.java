/**
 * Where the API server is, whom we trust, and who we are.
 *
 * <p>{@link lvms.k8s.config.KubeConfig} is the only entry point: it reads kubeconfig files as
 * client-go does, or the service account of the pod, and keeps tokens and certificates fresh.
 *
 * {@snippet :
 * try {
 *     var config = KubeConfig.load(Optional.empty()); // KUBECONFIG, ~/.kube/config, or the pod
 *     System.out.println(config.server() + " " + config.namespace());
 * } catch (KubeConfigException e) {
 *     System.err.println("cannot find a Kubernetes cluster: " + e.getMessage());
 * }
 * }
 *
 * <p>It opens no connections, does not write kubeconfig files, and refuses {@code auth-provider} as
 * well as SOCKS and HTTPS proxies.
 */
package lvms.k8s.config;
