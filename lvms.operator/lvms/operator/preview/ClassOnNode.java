package lvms.operator.preview;

import lvms.operator.preview.DiskVerdict.Kind;

import java.util.List;
import java.util.Optional;

/**
 * What a class would do on a node.
 *
 * @param deviceClass name of the class
 * @param everything whether the class names no disks
 * @param node name of the node
 * @param known whether somebody has looked at the disks of the node
 * @param verdicts one for each disk of the node
 * @param problem why the class does nothing on this node
 */
public record ClassOnNode(
        String deviceClass,
        boolean everything,
        String node,
        boolean known,
        List<DiskVerdict> verdicts,
        Optional<String> problem) {
    public ClassOnNode {
        verdicts = List.copyOf(verdicts);
    }

    /** Returns what happens to the disk that a path leads to; empty if it leads to none. */
    public Optional<DiskVerdict> at(String path) {
        return verdicts.stream().filter(verdict -> verdict.disk().isAt(path)).findFirst();
    }

    List<DiskVerdict> of(Kind kind) {
        return verdicts.stream().filter(verdict -> verdict.is(kind)).toList();
    }
}
