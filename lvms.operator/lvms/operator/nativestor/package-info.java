/**
 * What users of NativeStor brought along, as the rest of the operator sees it: their settings, and
 * the TopolvmCluster that is in charge ({@link lvms.operator.nativestor.NativeStor}).
 *
 * <p>{@link lvms.operator.nativestor.SettingKey} lists the keys; {@link
 * lvms.operator.nativestor.NativeStorSettings} is what they ask for, read by the grammars that they
 * had; {@link lvms.operator.nativestor.SettingWatch} follows the ConfigMap.
 *
 * {@snippet :
 * var data = Map.of("KUBELET_ROOT_DIR", "/data/kubelet", "TOPOLVM_IMAGE", "example");
 * var settings = NativeStorSettings.of(new SettingSource("nativestor-setting", data, Map.of()));
 * System.out.println(settings.kubeletRoot() + ", without effect: " + settings.unused());
 * }
 *
 * <p>It carries nothing out: {@code lvms.operator.cluster} runs the node agents, and {@code
 * lvms.operator.topolvmcluster} makes the volume groups of a TopolvmCluster.
 */
package lvms.operator.nativestor;
