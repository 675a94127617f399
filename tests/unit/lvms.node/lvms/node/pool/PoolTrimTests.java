package lvms.node.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.ThinPoolConfig.Trim;
import lvms.lvm2.LvName;
import lvms.node.deviceclass.LvmdConfig;

import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.OptionalInt;

/** The filesystems in a pool that a person made are trimmed as lvmd.yaml says for that pool. */
class PoolTrimTests {
    private static final String FILE =
            """
            device-classes:
            - name: a
              volume-group: vg1
              type: thin
              thin-pool: {name: pool0, overprovision-ratio: 2, trim: {interval-hours: 24}}
            - name: b
              volume-group: vg1
              type: thin
              thin-pool: {name: pool1, overprovision-ratio: 2}
            - name: c
              volume-group: vg2
            """;

    private static Optional<PoolTrim> trim(String vg, String pool) {
        return PoolTrim.of(LvmdConfig.parse(FILE).read().classes(), new LvName(vg, pool));
    }

    @Test
    void eachPoolHasItsOwnKey() {
        var daily = new Trim(OptionalInt.of(24), Optional.empty());
        assertEquals(Optional.of(new PoolTrim(daily, 80)), trim("vg1", "pool0"));
        assertEquals(Optional.empty(), trim("vg1", "pool1"));
        assertEquals(Optional.empty(), trim("vg2", "pool0"));
    }
}
