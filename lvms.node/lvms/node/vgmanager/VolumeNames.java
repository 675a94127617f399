package lvms.node.vgmanager;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;

import java.util.HashSet;
import java.util.Set;

/**
 * The names in LVM of everything that was handed out on this node. It is read from the API server
 * each time: a cache might not know yet, and it is asked once in the life of a volume group.
 *
 * @param kube the API server
 * @param nodeName name of this node
 */
record VolumeNames(KubeClient kube, String nodeName) {
    Set<String> read() throws ApiException, InterruptedException {
        var names = new HashSet<String>();
        for (var driver : Drivers.servedByAgent(kube).all()) {
            read(driver, names);
        }
        return names;
    }

    private void read(Driver driver, Set<String> names) throws ApiException, InterruptedException {
        for (var object : kube.list(driver.logicalVolumes(), ListOptions.all()).items()) {
            if (object.text("spec", "nodeName").filter(nodeName::equals).isPresent()) {
                names.add(object.uid());
                object.text("status", "volumeID").ifPresent(names::add);
            }
        }
    }
}
