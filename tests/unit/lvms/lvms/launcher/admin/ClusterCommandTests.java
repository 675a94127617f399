package lvms.launcher.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.k8s.tree.Tree;
import lvms.launcher.command.Command;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.UsageException;
import lvms.operator.overview.Cell;
import lvms.operator.overview.Section;

import org.junit.jupiter.api.Test;

import java.util.List;

/** What the commands for the whole cluster print, and how they are refused. */
class ClusterCommandTests {
    private static final Section VOLUMES =
            new Section(
                    "volumes",
                    List.of("volume", "sizeBytes", "claim"),
                    List.of(
                            List.of(
                                    new Cell("pvc-1", Tree.of("pvc-1")),
                                    new Cell("1GiB", Tree.of(1L << 30)),
                                    new Cell("-", Tree.NULL))));
    private static final Section NONE = new Section("retained", List.of("volume"), List.of());

    @Test
    void peopleGetTablesAndNoEmptyOnes() {
        assertEquals(
                "volumes:\nVOLUME  SIZE  CLAIM\npvc-1   1GiB  -\n",
                ClusterCommand.text(List.of(VOLUMES, NONE)));
        assertEquals(
                "nothing of lvms is in this cluster\n", ClusterCommand.text(List.of(NONE, NONE)));
    }

    @Test
    void programsGetBytesAndEmptyListsToo() {
        assertEquals(
                "{\"volumes\":[{\"volume\":\"pvc-1\",\"sizeBytes\":1073741824}],\"retained\":[]}\n",
                ClusterCommand.json(List.of(VOLUMES, NONE)));
    }

    private static String refusal(Command command, String... arguments) {
        return assertThrows(
                        UsageException.class,
                        () ->
                                command.run(
                                        Flags.parse(
                                                command.flags(),
                                                command.operands(),
                                                List.of(arguments))))
                .getMessage();
    }

    @Test
    void wrongUseIsOneLine() {
        assertEquals("missing NAME", refusal(new ExplainCommand()));
        assertEquals("unexpected argument \"b\"", refusal(new ExplainCommand(), "a", "b"));
        for (var command :
                List.of(new StatusCommand(), new VolumesCommand(), new DoctorCommand())) {
            assertEquals("flag -o=yaml: must be table or json", refusal(command, "-o=yaml"));
            assertEquals("unexpected argument \"a\"", refusal(command, "a"));
        }
    }
}
