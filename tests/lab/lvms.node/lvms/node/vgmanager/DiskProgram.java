package lvms.node.vgmanager;

import lvms.api.LvmVolumeGroup;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.Lvm;
import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.device.BlockDevices;
import lvms.node.disk.InventoryReader;
import lvms.node.disk.SystemHost;
import lvms.node.vgmanager.plan.Decision;
import lvms.node.vgmanager.plan.Situation;
import lvms.node.vgmanager.plan.VolumeGroupPlan;
import lvms.tests.lab.machine.GuestArchive;

import java.util.List;

/**
 * Brings the disks of a lab node to what an LVMVolumeGroup asks for, without Kubernetes: reads,
 * decides, acts, until nothing is left to do. Prints each step, how it ended, and each excluded
 * device.
 *
 * <p>Arguments: {@code converge} or {@code remove}; name; spec as JSON; number of steps after which
 * the program stops at once, as if it was killed.
 */
public final class DiskProgram {
    private DiskProgram() {}

    public static void main(String[] arguments) throws Exception {
        boolean removing = arguments[0].equals("remove");
        int steps = Integer.parseInt(arguments[3]);
        try (var lvm = LvmCommands.open(GuestArchive.lvmOptions())) {
            System.out.println("engine " + lvm.engine().kind());
            var host =
                    new SystemHost(
                            BlockDevices.system(), device -> !device.kernelName().equals("ubda"));
            var reader = new SituationReader(host, lvm, new InventoryReader(host, lvm), true, "n1");
            run(group(arguments[1], arguments[2]), removing, steps, reader, lvm);
        }
    }

    /** Makes the object that Kubernetes would hand out; the spec is JSON. */
    static LvmVolumeGroup group(String name, String spec) {
        var metadata = ObjectTree.builder();
        metadata.put("name", name);
        var tree = ObjectTree.builder();
        tree.put("metadata", metadata.build());
        tree.put("spec", Json.parse(spec));
        return LvmVolumeGroup.of(KubeObject.of(tree.build()));
    }

    private static void run(
            LvmVolumeGroup group, boolean removing, int steps, SituationReader reader, Lvm lvm)
            throws Exception {
        for (int taken = 0; ; taken++) {
            if (taken == steps) {
                System.out.println("stopped");
                System.out.flush();
                Runtime.getRuntime().halt(0);
            }
            reader.inventory().invalidate();
            var s = reader.read(group, List.of(group)).situation();
            var plan = new VolumeGroupPlan(s);
            switch (removing ? plan.nextOfRemoval() : plan.next()) {
                case Decision.Act(var step) -> {
                    System.out.println("step " + step.name());
                    new StepRunner(lvm, reader.host()).run(step, s);
                }
                case Decision.Blocked(var reason, var message) -> {
                    System.out.println("blocked " + reason.text() + ": " + message);
                    printExcluded(s);
                    return;
                }
                case Decision.Converged() -> {
                    System.out.println("settled");
                    printExcluded(s);
                    return;
                }
            }
        }
    }

    private static void printExcluded(Situation s) {
        StatusEntry.ready(s)
                .excluded()
                .forEach(e -> System.out.println("excluded " + String.join("; ", e.reasons())));
    }
}
