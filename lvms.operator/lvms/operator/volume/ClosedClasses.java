package lvms.operator.volume;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;

import java.util.Arrays;

/**
 * The device classes that get no new volumes on a node, because a person said so by {@link
 * Names#NO_NEW_VOLUMES_ANNOTATION}. What is there goes on: volumes grow, and snapshots are taken.
 */
public final class ClosedClasses {
    private static final String ALL = "*";

    private ClosedClasses() {}

    /**
     * Returns whether a class is closed on a node. An annotation without a value closes all
     * classes, as whoever set it meant something.
     *
     * @param deviceClass its name, as nodes report it
     */
    public static boolean closed(KubeObject node, String deviceClass) {
        var wish = node.annotation(Names.NO_NEW_VOLUMES_ANNOTATION).map(String::strip);
        if (wish.isEmpty()) {
            return false;
        }
        return wish.get().isEmpty()
                || Arrays.stream(wish.get().split(","))
                        .map(String::strip)
                        .anyMatch(name -> name.equals(ALL) || name.equals(deviceClass));
    }
}
