package lvms.node.vgmanager;

import lvms.k8s.client.ApiException;
import lvms.lvm2.LvmException;
import lvms.node.disk.InventoryReader;
import lvms.node.disk.KnownPv;
import lvms.node.proof.LabelRemoval;
import lvms.node.proof.Proofs;
import lvms.node.vgmanager.plan.Step;

import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Takes physical volumes out of service. LVM first takes them out of their group, then removes
 * their labels. A note in the node status, written beforehand, proves in between that the labels
 * are ours.
 *
 * @param status keeps the note
 * @param inventory tells which labels are left
 * @param runner removes them
 */
record Retirement(NodeStatus status, InventoryReader inventory, StepRunner runner) {
    /** Notes the physical volumes that a step is about to take out. */
    void note(Step step) throws ApiException, InterruptedException {
        switch (step) {
            case Step.RemoveDevices(var pvs) -> status.retire(uuids(pvs));
            case Step.RemoveGroup(var pvs) -> {
                status.retire(uuids(pvs));
                for (var pv : pvs) {
                    status.forget(pv.pv().vgName());
                }
            }
            default -> {}
        }
    }

    /** Removes the labels that are left, perhaps by a process that was killed. */
    void finish() throws IOException, LvmException, ApiException, InterruptedException {
        var uuids = status.retiring();
        if (uuids.isEmpty()) {
            return;
        }
        var orphaned =
                inventory.read().pvs().stream()
                        .filter(pv -> Proofs.remove(new LabelRemoval(pv.pv(), uuids)).isEmpty())
                        .toList();
        runner.retire(orphaned);
        if (!orphaned.isEmpty()) {
            inventory.invalidate();
        }
        status.retired();
    }

    private static Set<String> uuids(Collection<KnownPv> pvs) {
        return pvs.stream().map(pv -> pv.pv().uuid()).collect(Collectors.toUnmodifiableSet());
    }
}
