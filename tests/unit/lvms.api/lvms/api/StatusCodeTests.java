package lvms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Status;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our codes are gRPC's, by number and by name. */
class StatusCodeTests {
    @ParameterizedTest
    @EnumSource(Status.Code.class)
    void everyCodeOfGrpcHasItsNumberAndName(Status.Code theirs) {
        var ours = StatusCode.valueOf(theirs.name());
        assertEquals(theirs.value(), ours.number());
        assertEquals(ours, StatusCode.of(theirs.value()));
        assertEquals(ours, StatusCode.named(theirs.name()));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 17, 1L << 32})
    void aNumberThatGrpcDoesNotHaveIsAFailureAllTheSame(long number) {
        assertEquals(StatusCode.UNKNOWN, StatusCode.of(number));
    }
}
