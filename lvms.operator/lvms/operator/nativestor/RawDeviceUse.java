package lvms.operator.nativestor;

import lvms.api.Names;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.agent.AgentFeatures;
import lvms.operator.agent.AgentSettings;

import java.util.List;

/**
 * Keeps raw devices served while there are volumes of them, whatever the settings say.
 *
 * @param kube asks for PersistentVolumes, and only if something is to be switched off
 * @param stor the settings
 */
public record RawDeviceUse(KubeClient kube, NativeStor stor) {
    private static final int NAMED = 5;

    /** Returns how agents are to be run so that no volume loses its driver. */
    public AgentSettings kept(AgentSettings wanted) throws ApiException, InterruptedException {
        if (wanted.features().rawDevices() || !served()) {
            stor.settings().follow(SettingKey.RAW_DEVICE_ENABLE);
            return wanted;
        }
        var volumes = volumes(kube);
        if (volumes.isEmpty()) {
            stor.settings().follow(SettingKey.RAW_DEVICE_ENABLE);
            return wanted;
        }
        stor.settings()
                .refuse(
                        SettingKey.RAW_DEVICE_ENABLE,
                        "RAW_DEVICE_ENABLE counts as true while there are PersistentVolumes of "
                                + RawDevice.DRIVER.name()
                                + ": "
                                + String.join(", ", volumes));
        return wanted.features(wanted.features().and(false, true, false));
    }

    private boolean served() {
        var flag = new AgentFeatures(false, true, false, "", false).flags().getFirst();
        return stor
                .informers()
                .daemonSets()
                .get(ObjectKey.of(stor.namespace(), Names.VG_MANAGER))
                .stream()
                .flatMap(set -> set.objects("spec", "template", "spec", "containers").stream())
                .anyMatch(container -> container.texts("command").contains(flag));
    }

    /** Returns the names of PersistentVolumes that are raw devices, some of them. */
    public static List<String> volumes(KubeClient kube) throws ApiException, InterruptedException {
        return kube.list(Types.PV, ListOptions.all(), RawDeviceUse::bare).items().stream()
                .filter(volume -> driver(volume).equals(RawDevice.DRIVER.name()))
                .map(KubeObject::name)
                .sorted()
                .limit(NAMED)
                .toList();
    }

    /** Others' volumes may be large, and all of them are held at once. */
    private static KubeObject bare(KubeObject volume) {
        return KubeObject.create(Types.PV, volume.key())
                .with(driver(volume), "spec", "csi", "driver");
    }

    private static String driver(KubeObject volume) {
        return volume.text("spec", "csi", "driver").orElse("");
    }
}
