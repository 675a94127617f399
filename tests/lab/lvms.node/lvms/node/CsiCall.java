package lvms.node;

import lvms.node.csi.CsiClient;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;

import java.nio.file.Path;

/**
 * One call of kubelet on a node of the lab. Arguments: the driver's socket, {@code publish} or
 * {@code unpublish}, the volume, and where.
 */
public final class CsiCall {
    private CsiCall() {}

    public static void main(String[] arguments) {
        var client = new CsiClient(Path.of(arguments[0]));
        try {
            var target = Path.of(arguments[3]);
            switch (arguments[1]) {
                case "publish" ->
                        client.publish(
                                arguments[2],
                                target,
                                CsiClient.block(Mode.SINGLE_NODE_WRITER),
                                false);
                case "unpublish" -> client.unpublish(arguments[2], target);
                default -> throw new IllegalArgumentException(arguments[1]);
            }
        } finally {
            client.close();
        }
    }
}
