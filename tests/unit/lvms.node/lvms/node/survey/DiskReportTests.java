package lvms.node.survey;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.disk.Disk;
import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Disks are written when they differ, and not more often than every ten seconds. */
class DiskReportTests {
    private final List<List<Disk>> written = new ArrayList<>();
    private Optional<List<Disk>> published = Optional.of(List.of());
    private List<Disk> disks = List.of();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private final DiskReport report =
            new DiskReport(
                    () -> disks,
                    new DiskReport.Board() {
                        @Override
                        public Optional<List<Disk>> read() {
                            return published;
                        }

                        @Override
                        public void write(List<Disk> found) {
                            written.add(found);
                            published = Optional.of(found);
                        }
                    },
                    () -> now);

    private static Disk disk(String name) {
        return Disk.of(Json.parse("{\"name\": \"" + name + "\"}").asObject());
    }

    @Test
    void writesWhatIsNewOnce() throws Exception {
        disks = List.of(disk("/dev/sdb"));
        assertEquals(Optional.empty(), report.run());
        assertEquals(Optional.empty(), report.run());
        assertEquals(List.of(disks), written);
    }

    @Test
    void writesTheLastOfManyChanges() throws Exception {
        disks = List.of(disk("/dev/sdb"));
        report.run();
        now = now.plusSeconds(3);
        disks = List.of(disk("/dev/sdb"), disk("/dev/sdc"));
        assertEquals(Optional.of(Duration.ofSeconds(7)), report.run());
        disks = List.of(disk("/dev/sdc"));
        now = now.plusSeconds(7);
        assertEquals(Optional.empty(), report.run());
        assertEquals(List.of(List.of(disk("/dev/sdb")), disks), written);
    }

    @Test
    void aClockThatIsPutBackHoldsNothingBack() throws Exception {
        disks = List.of(disk("/dev/sdb"));
        report.run();
        now = now.minus(Duration.ofDays(365));
        disks = List.of();
        assertEquals(Optional.empty(), report.run());
        assertEquals(2, written.size());
    }

    @Test
    void waitsForTheObject() throws Exception {
        published = Optional.empty();
        disks = List.of(disk("/dev/sdb"));
        assertEquals(Optional.empty(), report.run());
        assertEquals(List.of(), written);
    }
}
