/**
 * What can be changed about a volume that exists: the mutable parameters of CSI, which a
 * VolumeAttributesClass holds, and how a change travels between operator and node.
 *
 * <pre>{@code
 * var named = Map.of("topolvm.io/read-ahead", "131072");
 * var wanted = VolumeAttributes.of(Driver.TOPOLVM, named);
 * assert wanted.text().equals("read-ahead=128Ki");
 * var volume = LogicalVolume.of(kube.get(LogicalVolume.TYPE, ObjectKey.cluster("pvc-1")));
 * var change = AttributeChange.of(volume);
 * boolean done = change.state() == AttributeChange.State.APPLIED;
 * }</pre>
 *
 * <p>Begin with {@link lvms.api.attribute.VolumeAttribute}, the list of all. The node says how each
 * is applied and read back.
 */
package lvms.api.attribute;
