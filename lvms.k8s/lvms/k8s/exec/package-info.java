/**
 * Commands in the containers of pods, as {@code kubectl exec} runs them, and other streams to pods,
 * over WebSockets.
 *
 * <p>Begin with {@link lvms.k8s.exec.PodExec}:
 *
 * {@snippet :
 * try (var kube = KubeClient.open(KubeConfig.load(Optional.empty()), "my-tool/1.0")) {
 *     var exec = new PodExec(kube, Duration.ofSeconds(30), 1 << 20);
 *     var ended = exec.run(ObjectKey.of("default", "web-0"), "web", List.of("uname", "-r"));
 *     System.out.print(ended.exitCode() == 0 ? ended.stdoutText() : ended.stderrText());
 * } catch (ApiException.Forbidden e) {
 *     System.err.println(e.getMessage()); // needs create and get of pods/exec
 * } catch (ExecException e) {
 *     System.err.println(e.getMessage());
 * }
 * }
 *
 * <p>{@link lvms.k8s.exec.PodExec} is for commands that print something and end: standard input is
 * empty. {@link lvms.k8s.exec.PodSession} has streams both ways, or a terminal, and also joins a
 * running process, {@link lvms.k8s.exec.PodFiles} copies files and folders, and {@link
 * lvms.k8s.exec.PortForward} leads to ports. Nothing is repeated, since a command may have changed
 * something.
 */
package lvms.k8s.exec;
