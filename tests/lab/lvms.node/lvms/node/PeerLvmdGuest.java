package lvms.node;

import java.nio.file.Path;
import java.util.List;

/** Our topolvm-node beside TopoLVM's lvmd, which ends and comes back. */
class PeerLvmdGuest extends OwnLvmdGuest {
    @Override
    String prefix() {
        return "[lvm]";
    }

    @Override
    List<String> lvmd(Path config) {
        return List.of(
                System.getProperty("lvms.peer"),
                "lvmd",
                "--config=" + config,
                "--metrics-bind-address=");
    }
}
