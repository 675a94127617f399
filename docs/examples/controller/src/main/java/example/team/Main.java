package example.team;

import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.config.KubeConfigException;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Runs the controller with the kubeconfig of the caller, or of the pod, until it is told to end.
 */
final class Main {
    private Main() {}

    public static void main(String[] args) throws KubeConfigException, InterruptedException {
        var kube = KubeClient.open(KubeConfig.load(Optional.empty()), "team-controller/1.0");
        var controller = new TeamController(kube);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    controller.close();
                                    kube.close();
                                }));
        new CountDownLatch(1).await();
    }
}
