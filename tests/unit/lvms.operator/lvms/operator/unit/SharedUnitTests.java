package lvms.operator.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.LvmCluster;
import lvms.operator.cluster.Clusters;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an LVMCluster shares goes with it, unless a TopolvmCluster stays that needs it. */
class SharedUnitTests {
    private final List<String> done = new ArrayList<>();

    private final ReconcileUnit unit =
            new ReconcileUnit() {
                @Override
                public String name() {
                    return "shared";
                }

                @Override
                public Outcome apply(LvmCluster cluster) {
                    done.add("made");
                    return new Outcome.Converged();
                }

                @Override
                public Outcome remove(LvmCluster cluster) {
                    done.add("removed");
                    return new Outcome.Converged();
                }
            };

    private List<String> removed(Optional<LvmCluster> heir, boolean stays) throws Exception {
        new SharedUnit(unit, () -> heir, _ -> stays).remove(Clusters.cluster("{'name':'vg1'}"));
        return done;
    }

    @Test
    void isLeftToAnHeirThatStays() throws Exception {
        assertEquals(List.of("made"), removed(Optional.of(Clusters.cluster()), true));
    }

    @Test
    void goesIfThereIsNoHeir() throws Exception {
        assertEquals(List.of("removed"), removed(Optional.empty(), true));
    }

    /** Both were deleted at once, and the cache still has the heir: nobody would remove it. */
    @Test
    void goesIfTheHeirHasGoneMeanwhile() throws Exception {
        assertEquals(List.of("removed"), removed(Optional.of(Clusters.cluster()), false));
    }
}
