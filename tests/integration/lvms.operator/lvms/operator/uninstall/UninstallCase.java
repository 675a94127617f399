package lvms.operator.uninstall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A world, and the two things that an uninstallation may do to it: end it, or say why not. */
abstract class UninstallCase {
    static final Wishes BLANK = new Wishes(Wishes.Disks.BLANK, Set.of(), Set.of());
    static final Wishes KEEP = new Wishes(Wishes.Disks.KEEP, Set.of(), Set.of());
    static final Duration PATIENCE = Duration.ofSeconds(60);

    World world;

    @BeforeEach
    final void open() throws Exception {
        world = World.open();
    }

    @AfterEach
    final void close() throws Exception {
        world.close();
    }

    /** Runs all steps until nothing is left; returns what was said. */
    final List<String> run(Wishes wishes) throws Exception {
        var end = Uninstallation.plan(world.kube, wishes);
        assertEquals(List.of(), end.obstacles());
        var said = new ArrayList<String>();
        try {
            end.run(PATIENCE, said::add);
        } catch (StuckException e) {
            throw new AssertionError(said + " left: " + world.left(), e);
        }
        assertTrue(said.containsAll(end.steps()), said.toString());
        assertEquals(List.of(), world.left());
        return said;
    }

    final String obstacle(Wishes wishes) throws Exception {
        var end = Uninstallation.plan(world.kube, wishes);
        assertFalse(end.obstacles().isEmpty(), end.steps().toString());
        return String.join("\n", end.obstacles());
    }

    final void requireObstacle(Wishes wishes, String text) throws Exception {
        var found = obstacle(wishes);
        assertTrue(found.contains(text), found);
    }
}
