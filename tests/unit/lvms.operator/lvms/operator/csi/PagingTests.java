package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Pages together hold every entry once, and requests that cannot be met are refused. */
class PagingTests {
    private static List<LogicalVolume> volumes(String... names) {
        return Stream.of(names)
                .map(
                        name ->
                                KubeObject.create(
                                        Driver.TOPOLVM.logicalVolumes(), ObjectKey.cluster(name)))
                .map(LogicalVolume::tolerant)
                .toList();
    }

    private static List<String> names(Paging<StringValue> page) {
        return page.entries().stream().map(StringValue::getValue).toList();
    }

    private static Paging<StringValue> page(List<LogicalVolume> all, int most, String token)
            throws VolumeException {
        return Paging.of(all, most, token, volume -> StringValue.of(volume.name()));
    }

    @Test
    void pagesFollowEachOtherWithoutGapsOrRepeats() throws Exception {
        var all = volumes("a", "b", "c", "d", "e");
        var seen = new ArrayList<String>();
        var token = "";
        do {
            var page = page(all, 2, token);
            seen.addAll(names(page));
            token = page.nextToken();
        } while (!token.isEmpty());
        assertEquals(List.of("a", "b", "c", "d", "e"), seen);
    }

    @Test
    void withoutALimitTheRestComesAtOnce() throws Exception {
        var all = volumes("a", "b", "c");
        var first = page(all, 1, "");
        var rest = page(all, 0, first.nextToken());
        assertEquals(List.of("b", "c"), names(rest));
        assertTrue(rest.nextToken().isEmpty());
    }

    /** A client refuses a message above 4 MiB, and then it gets nothing at all. */
    @Test
    void whatDoesNotFitIntoAMessageComesWithTheNextPage() throws Exception {
        var all = volumes("a", "b", "c", "d", "e", "f");
        var mib = StringValue.of("x".repeat(1 << 20));
        var first = Paging.of(all, 0, "", _ -> mib);
        assertEquals(3, first.entries().size());
        var rest = Paging.of(all, 0, first.nextToken(), _ -> mib);
        assertEquals(3, rest.entries().size());
        assertTrue(rest.nextToken().isEmpty());
    }

    @Test
    void aTokenOutlivesTheLastEntryOfItsPage() throws Exception {
        var first = page(volumes("a", "b", "c"), 2, "");
        assertEquals(List.of("c"), names(page(volumes("a", "c"), 2, first.nextToken())));
    }

    @Test
    void strangeTokensAreAborted() {
        for (var token : new String[] {"invalid-token", "####", "YQ"}) {
            var failure = assertThrows(VolumeException.class, () -> page(List.of(), 0, token));
            assertEquals(StatusCode.ABORTED, failure.code());
        }
    }

    @Test
    void aNegativeLimitIsInvalid() {
        var failure = assertThrows(VolumeException.class, () -> page(List.of(), -1, ""));
        assertEquals(StatusCode.INVALID_ARGUMENT, failure.code());
    }

    @ParameterizedTest
    @EnumSource(
            value = AccessMode.Mode.class,
            names = {"SINGLE_NODE_WRITER", "SINGLE_NODE_SINGLE_WRITER", "SINGLE_NODE_MULTI_WRITER"})
    void writersOnOneNodeAreServed(AccessMode.Mode mode) {
        assertTrue(Requests.problem(capability(mode)).isEmpty());
    }

    @ParameterizedTest
    @EnumSource(
            value = AccessMode.Mode.class,
            names = {
                "SINGLE_NODE_READER_ONLY",
                "MULTI_NODE_READER_ONLY",
                "MULTI_NODE_SINGLE_WRITER",
                "MULTI_NODE_MULTI_WRITER"
            })
    void otherModesAreNot(AccessMode.Mode mode) {
        assertTrue(Requests.problem(capability(mode)).isPresent());
    }

    @Test
    void aCapabilityNeedsAType() {
        assertTrue(Requests.problem(VolumeCapability.getDefaultInstance()).isPresent());
    }

    private static VolumeCapability capability(AccessMode.Mode mode) {
        return VolumeCapability.newBuilder()
                .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                .setAccessMode(AccessMode.newBuilder().setMode(mode))
                .build();
    }
}
