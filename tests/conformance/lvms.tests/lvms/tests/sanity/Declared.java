package lvms.tests.sanity;

import io.grpc.Channel;

import lvms.proto.csi.v1.ControllerGetCapabilitiesRequest;
import lvms.proto.csi.v1.ControllerGrpc;
import lvms.proto.csi.v1.GetPluginCapabilitiesRequest;
import lvms.proto.csi.v1.GroupControllerGetCapabilitiesRequest;
import lvms.proto.csi.v1.GroupControllerGrpc;
import lvms.proto.csi.v1.IdentityGrpc;
import lvms.proto.csi.v1.NodeGetCapabilitiesRequest;
import lvms.proto.csi.v1.NodeGrpc;

import java.util.Set;
import java.util.TreeSet;

/**
 * The capabilities that a driver declares, such as {@code controller GET_CAPACITY}, {@code node
 * EXPAND_VOLUME} or {@code plugin CONTROLLER_SERVICE}.
 */
record Declared(Set<String> capabilities) {
    static Declared by(Channel controller, Channel node) {
        var all = new TreeSet<String>();
        ControllerGrpc.newBlockingStub(controller)
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .forEach(c -> all.add("controller " + c.getRpc().getType()));
        GroupControllerGrpc.newBlockingStub(controller)
                .groupControllerGetCapabilities(
                        GroupControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .forEach(c -> all.add("group controller " + c.getRpc().getType()));
        NodeGrpc.newBlockingStub(node)
                .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .forEach(c -> all.add("node " + c.getRpc().getType()));
        for (var socket : Set.of(controller, node)) {
            IdentityGrpc.newBlockingStub(socket)
                    .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                    .getCapabilitiesList()
                    .stream()
                    .filter(c -> c.hasService())
                    .forEach(c -> all.add("plugin " + c.getService().getType()));
        }
        return new Declared(all);
    }

    boolean has(String capability) {
        return capabilities.contains(capability);
    }
}
