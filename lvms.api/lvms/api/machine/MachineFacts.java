package lvms.api.machine;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a machine is like, apart from its disks.
 *
 * @param kernel release of the running kernel
 * @param modules the device-mapper's modules by their names, such as {@code dm_thin_pool}
 * @param hostLvm whether the machine has LVM's program of its own
 * @param devicesFile whether that LVM has a devices file
 * @param udev whether udevd runs
 * @param kubelet kubelet's folder; empty if no kubelet was found
 * @param readOnly folders in which nothing can be written
 * @param selinux {@code enforcing} or {@code permissive}; empty without SELinux
 */
public record MachineFacts(
        String kernel,
        Map<String, ModuleState> modules,
        boolean hostLvm,
        boolean devicesFile,
        boolean udev,
        Optional<String> kubelet,
        List<String> readOnly,
        String selinux) {
    public MachineFacts {
        modules = Collections.unmodifiableMap(new TreeMap<>(modules));
        readOnly = List.copyOf(readOnly);
    }

    /** Reads the JSON form. */
    public static MachineFacts of(ObjectTree tree) {
        var modules = new TreeMap<String, ModuleState>();
        tree.textMap("modules").forEach((name, state) -> modules.put(name, ModuleState.of(state)));
        return new MachineFacts(
                tree.text("kernel").orElse(""),
                modules,
                tree.flag("hostLvm").orElse(false),
                tree.flag("devicesFile").orElse(false),
                tree.flag("udev").orElse(false),
                tree.text("kubelet"),
                tree.texts("readOnly"),
                tree.text("selinux").orElse(""));
    }

    public ObjectTree json() {
        var states = ObjectTree.builder();
        modules.forEach((name, state) -> states.put(name, state.text()));
        var tree = ObjectTree.builder();
        tree.put("kernel", kernel);
        tree.put("modules", states.build());
        tree.put("hostLvm", hostLvm);
        tree.put("devicesFile", devicesFile);
        tree.put("udev", udev);
        kubelet.ifPresent(folder -> tree.put("kubelet", folder));
        tree.put("readOnly", ListTree.ofTexts(readOnly));
        tree.put("selinux", selinux);
        return tree.build();
    }
}
