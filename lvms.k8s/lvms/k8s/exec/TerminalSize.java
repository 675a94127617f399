package lvms.k8s.exec;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;

/**
 * How large a terminal is.
 *
 * <p>Source: {@code TerminalSize} of k8s.io/client-go/tools/remotecommand: two unsigned numbers of
 * 16 bits.
 */
public record TerminalSize(int columns, int rows) {
    private static final int MOST = 0xffff;

    /**
     * @throws IllegalArgumentException if one of them is not between 1 and 65535
     */
    public TerminalSize {
        if (columns < 1 || columns > MOST || rows < 1 || rows > MOST) {
            throw new IllegalArgumentException(
                    "not the size of a terminal: %d columns, %d rows".formatted(columns, rows));
        }
    }

    String json() {
        return Json.write(ObjectTree.builder().put("Width", columns).put("Height", rows).build());
    }
}
