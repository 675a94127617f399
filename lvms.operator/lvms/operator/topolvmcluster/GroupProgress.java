package lvms.operator.topolvmcluster;

import java.util.List;

/**
 * How far the LVMVolumeGroups of a TopolvmCluster are from what it asks for.
 *
 * @param waiting what others have to do first, each in a sentence
 * @param refused what cannot be done as the spec is, each with what to do
 * @param leaving what nothing asks for any more
 */
record GroupProgress(List<String> waiting, List<String> refused, List<LeavingGroup> leaving) {
    GroupProgress {
        waiting = List.copyOf(waiting);
        refused = List.copyOf(refused);
        leaving = List.copyOf(leaving);
    }
}
