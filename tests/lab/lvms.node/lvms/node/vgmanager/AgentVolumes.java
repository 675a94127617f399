package lvms.node.vgmanager;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;

import java.util.Map;

/**
 * The LogicalVolumes of a node of the lab, each of 32 MiB.
 *
 * @param agent the node
 */
record AgentVolumes(AgentNode agent) {
    /** Makes one and waits for it; empty names ask for the default class, and for no options. */
    void make(String name, String deviceClass, String optionClass) throws Exception {
        agent.kube()
                .create(
                        LogicalVolume.TYPE,
                        LogicalVolume.create(
                                Driver.TOPOLVM,
                                new LogicalVolume.Spec(
                                        name,
                                        AgentNode.NAME,
                                        Quantity.parse("32Mi"),
                                        deviceClass,
                                        optionClass,
                                        "",
                                        ""),
                                Map.of()));
        AgentNode.until(() -> get(name).status().currentSize().isPresent());
    }

    LogicalVolume get(String name) throws Exception {
        return LogicalVolume.of(agent.kube().get(LogicalVolume.TYPE, ObjectKey.cluster(name)));
    }

    /** Removes one and waits until it is gone. */
    void remove(String name) throws Exception {
        var key = ObjectKey.cluster(name);
        agent.kube().delete(LogicalVolume.TYPE, key, DeleteOptions.any());
        AgentNode.until(() -> agent.kube().find(LogicalVolume.TYPE, key).isEmpty());
    }

    /** Returns what LVM says of the volume of an object in a volume group. */
    String column(String column, String vg, String name) throws Exception {
        var lv = vg + "/" + get(name).uid();
        return agent.shell("lvs --noheadings -o " + column + " " + lv).strip();
    }
}
