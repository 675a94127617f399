package lvms.lvm2;

import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every operation of the library, its second call and its failures, on a real device-mapper: each
 * test runs stories of {@link OperationsGuest} on one node, which assert there.
 */
@Lasts(seconds = 60)
class LvmOperationsLabTests extends OperationsCase {
    @Safety({1, 6, 10})
    @Test
    void nothingIsDestroyedThatWasEverHandedOut() throws Exception {
        guest(LvmOptions.Engine.WORKER, "law");
    }

    @Safety({11, 17, 48, 56})
    @ParameterizedTest
    @ValueSource(
            strings = {
                "groups snapshots pools stuck leftovers",
                "raid growth",
                "vanished",
                "moves"
            })
    void eachOperationDoesWhatItSaysTwice(String stories) throws Exception {
        guest(LvmOptions.Engine.WORKER, stories);
    }

    @ParameterizedTest
    @ValueSource(strings = {"groups snapshots pools", "raid growth", "vanished", "moves"})
    @FullOnly("the same stories by the other engine")
    void soItDoesByTheProgram(String stories) throws Exception {
        guest(LvmOptions.Engine.EXEC, stories);
    }
}
