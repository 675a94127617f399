package lvms.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.LvmException;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What vanishes from a node is said once, and once that it is back. */
class MissingGroupsTests {
    private static final String GONE = "there is no volume group data";

    private final Logger logger = Logger.getLogger(MissingGroups.class.getName());
    private final List<String> said = new ArrayList<>();
    private final Handler listener =
            new Handler() {
                @Override
                public void publish(LogRecord logged) {
                    said.add(logged.getLevel() + " " + logged.getMessage());
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    private Map<String, String> missing = Map.of();
    private boolean fails;
    private int asked;
    private final MissingGroups groups = new MissingGroups(this::ask, () -> {});
    private final DeviceClasses classes =
            new DeviceClasses(
                    List.of(
                            new NodeDeviceClass(
                                    "ssd",
                                    "data",
                                    true,
                                    new Provisioning.Thick(),
                                    0,
                                    Optional.empty(),
                                    List.of(),
                                    Optional.empty())),
                    Map.of());

    private Map<String, String> ask(DeviceClasses now) throws LvmException {
        asked++;
        if (fails) {
            throw new LvmException.CommandFailed("vgs: busy", 5, List.of());
        }
        return missing;
    }

    @BeforeEach
    void listen() {
        logger.addHandler(listener);
    }

    @AfterEach
    void end() {
        logger.removeHandler(listener);
    }

    private void look(int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            groups.look(classes);
        }
    }

    @Test
    void aGroupThatVanishesAndComesBackIsSaidOnceEach() throws Exception {
        look(40);
        assertEquals(1, asked, "a quiet node asks LVM for nothing");
        missing = Map.of("ssd", GONE);
        groups.groupsChanged();
        look(60);
        assertEquals(List.of("WARNING no volumes for now: device class ssd: " + GONE), said);
        missing = Map.of();
        look(30);
        assertEquals(
                List.of(
                        "WARNING no volumes for now: device class ssd: " + GONE,
                        "INFO volumes again: what was missing is there class=ssd"),
                said);
    }

    @Test
    void anLvmThatGivesNoAnswerIsAskedAgain() throws Exception {
        fails = true;
        look(3);
        assertEquals(3, asked);
        fails = false;
        missing = Map.of("ssd", GONE);
        look(1);
        assertEquals(1, said.size(), said.toString());
    }
}
