package lvms.launcher.flag;

import lvms.api.Names;

import java.util.List;
import java.util.stream.Stream;

/**
 * An environment variable that a subcommand reads.
 *
 * @param name of the variable
 * @param required whether the subcommand refuses to start without it
 * @param meaning one line for the help
 */
public record Variable(String name, boolean required, String meaning) {
    /** The pod's namespace, in which the process works. */
    public static final Variable NAMESPACE =
            new Variable(Names.ENV_NAMESPACE, true, "namespace of the pod");

    /** The pod's name. */
    public static final Variable POD = new Variable(Names.ENV_NAME, true, "name of the pod");

    /** The node that the process serves. */
    public static final Variable NODE =
            new Variable(Names.ENV_NODE_NAME, true, "name of the pod's node");

    /** Which of TopoLVM's two names counts. */
    public static final Variable LEGACY =
            new Variable(
                    "USE_LEGACY",
                    false,
                    "any text, even false, takes topolvm.cybozu.com for topolvm.io in all names");

    /** Where settings are that the ConfigMap lacks. */
    public static final Variable NATIVE_STOR =
            new Variable(
                    "TOPOLVM_ENABLE",
                    false,
                    "with --nativestor: this and every other key of NativeStor's settings, where"
                            + " the ConfigMap does not have it");

    /** Where the cluster is; read in this order. */
    private static final List<Variable> CLUSTER =
            List.of(
                    new Variable(
                            "KUBECONFIG",
                            false,
                            "kubeconfig files, joined by colons; else ~/.kube/config is read"),
                    new Variable(
                            "KUBERNETES_SERVICE_HOST",
                            false,
                            "API server for a pod, if there is no kubeconfig"),
                    new Variable("KUBERNETES_SERVICE_PORT", false, "its port"),
                    new Variable("HTTPS_PROXY", false, "proxy on the way to the API server"),
                    new Variable("NO_PROXY", false, "hosts that are reached without the proxy"));

    /** Returns these variables and those that say where the cluster is. */
    public static List<Variable> andCluster(Variable... own) {
        return Stream.concat(List.of(own).stream(), CLUSTER.stream()).toList();
    }
}
