package lvms.node.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.device.DeviceMapper.Target;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.Optional;

/** The rate is kept by pieces of about a second's worth and by pauses; figures are the kernel's. */
class TrimPassTests {
    private static final long MIB = 1L << 20;

    @ParameterizedTest(name = "{0} MiB a second: pieces of {1} MiB")
    @CsvSource({"1, 128", "128, 128", "300, 256", "1024, 1024", "9000, 1024"})
    void aPieceHasWholeBlockGroups(long rateMib, long pieceMib) {
        assertEquals(pieceMib * MIB, TrimPass.pieceBytes(rateMib * MIB));
    }

    @Test
    void thePauseKeepsTheRate() {
        assertEquals(Duration.ofSeconds(4), TrimPass.pause(1024 * MIB, 256 * MIB));
        assertEquals(Duration.ZERO, TrimPass.pause(0, 256 * MIB));
        assertEquals(Duration.ofSeconds(1 << 20), TrimPass.pause(MIB * MIB, MIB)); // 1 TiB
    }

    @Test
    void readsWhatAThinVolumeMaps() {
        assertEquals(Optional.of(512L * 2048), mapped("thin", "2048 4095"));
        assertEquals(Optional.of(0L), mapped("thin", "0 -"));
        assertEquals(Optional.empty(), mapped("thin", "Fail"));
        assertEquals(Optional.empty(), mapped("linear", "12"));
    }

    private static Optional<Long> mapped(String type, String status) {
        return TrimPass.mappedBytes(new Target(0, 1 << 30, type, status));
    }
}
