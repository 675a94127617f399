/**
 * Which disks an LVMCluster would take, said before anything is touched.
 *
 * <p>{@link lvms.operator.preview.ClusterPreview} decides from the disks that the node agents have
 * published, by the rules that the agents follow; {@link lvms.operator.preview.PreviewText} puts it
 * into warnings.
 *
 * {@snippet :
 * var cluster = LvmCluster.of(kube.get(LvmCluster.TYPE, pod));
 * var nodes = PublishedDisks.read(kube, "lvms-system");
 * var preview = ClusterPreview.of(cluster, List.of()).on(nodes, deviceClass -> true);
 * PreviewText.lines(preview).forEach(System.out::println);
 * }
 *
 * <p>The agent looks at each disk once more before it takes it, so less may happen, never more.
 */
package lvms.operator.preview;
