package lvms.tests.cluster;

import java.util.ArrayList;
import java.util.List;

/** The request for a new node: the fields of its {@link NodeSpec} in order. */
final class NodeRequest {
    private static final int DISKS_AT = 7;

    private NodeRequest() {}

    static String[] words(NodeSpec spec) {
        var words = new ArrayList<>(List.of("add-node", spec.name()));
        words.add(Boolean.toString(spec.hostLvm()));
        words.add(Boolean.toString(spec.udev()));
        words.add(Boolean.toString(spec.thinPoolModule()));
        words.add(spec.kubeletRoot());
        words.add(Integer.toString(spec.memoryMib()));
        spec.diskBytes().forEach(size -> words.add(size.toString()));
        return words.toArray(String[]::new);
    }

    static NodeSpec spec(List<String> words) {
        return new NodeSpec(
                words.get(1),
                words.subList(DISKS_AT, words.size()).stream().map(Long::valueOf).toList(),
                Boolean.parseBoolean(words.get(2)),
                Boolean.parseBoolean(words.get(3)),
                Boolean.parseBoolean(words.get(4)),
                words.get(5),
                Integer.parseInt(words.get(6)));
    }
}
