package lvms.node.lvmd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;

import lvms.proto.health.v1.HealthProto;
import lvms.proto.lvmd.CreateLVRequest;
import lvms.proto.lvmd.LvmdProto;

import org.junit.jupiter.api.Test;

import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/** The protocol is TopoLVM's to the byte: names, numbers, types, and what is reserved. */
class WireTests {
    /** pkg/lvmd/proto/lvmd.proto of TopoLVM 0.39, one message a line. */
    private static final String MESSAGES =
            """
            CreateLVRequest: 1 name STRING, 3 tags STRING*, 4 device_class STRING, \
            5 lvcreate_option_class STRING, 6 size_bytes INT64; reserved 2
            CreateLVResponse: 1 volume proto.LogicalVolume
            CreateLVSnapshotRequest: 1 name STRING, 2 tags STRING*, 3 device_class STRING, \
            4 source_volume STRING, 6 access_type STRING, 7 size_bytes INT64; reserved 5
            CreateLVSnapshotResponse: 1 snapshot proto.LogicalVolume
            Empty:
            GetFreeBytesRequest: 1 device_class STRING
            GetFreeBytesResponse: 1 free_bytes UINT64
            GetLVListRequest: 1 device_class STRING
            GetLVListResponse: 1 volumes proto.LogicalVolume*
            LogicalVolume: 1 name STRING, 3 dev_major UINT32, 4 dev_minor UINT32, \
            5 tags STRING*, 6 size_bytes INT64, 7 path STRING, 8 attr STRING; reserved 2
            RemoveLVRequest: 1 name STRING, 2 device_class STRING
            ResizeLVRequest: 1 name STRING, 3 device_class STRING, 7 size_bytes INT64; reserved 2
            ResizeLVResponse: 1 size_bytes INT64
            ThinPoolItem: 1 data_percent DOUBLE, 2 metadata_percent DOUBLE, \
            3 overprovision_bytes UINT64, 4 size_bytes UINT64
            WatchItem: 1 free_bytes UINT64, 2 device_class STRING, 3 size_bytes UINT64, \
            4 thin_pool proto.ThinPoolItem
            WatchResponse: 1 free_bytes UINT64, 2 items proto.WatchItem*
            """;

    private static String messages(FileDescriptor file) {
        return file.getMessageTypes().stream()
                .map(
                        message ->
                                (message.getName()
                                                        + ": "
                                                        + message.getFields().stream()
                                                                .sorted()
                                                                .map(WireTests::field)
                                                                .collect(Collectors.joining(", ")))
                                                .strip()
                                        + message.toProto().getReservedRangeList().stream()
                                                .map(range -> "; reserved " + range.getStart())
                                                .collect(Collectors.joining()))
                .sorted()
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static String field(FieldDescriptor field) {
        var type =
                field.getType() == FieldDescriptor.Type.MESSAGE
                        ? field.getMessageType().getFullName()
                        : field.getType().name();
        return field.getNumber()
                + " "
                + field.getName()
                + " "
                + type
                + (field.isRepeated() ? "*" : "");
    }

    private static List<String> methods(FileDescriptor file) {
        return file.getServices().stream()
                .flatMap(service -> service.getMethods().stream())
                .map(WireTests::method)
                .toList();
    }

    private static String method(MethodDescriptor method) {
        return method.getFullName()
                + " "
                + method.getInputType().getName()
                + " -> "
                + (method.isServerStreaming() ? "stream " : "")
                + method.getOutputType().getName();
    }

    @Test
    void messagesHaveTopolvmsNumbers() {
        assertEquals(MESSAGES, messages(LvmdProto.getDescriptor()));
    }

    @Test
    void servicesHaveTopolvmsMethods() {
        assertEquals(
                List.of(
                        "proto.LVService.CreateLV CreateLVRequest -> CreateLVResponse",
                        "proto.LVService.RemoveLV RemoveLVRequest -> Empty",
                        "proto.LVService.ResizeLV ResizeLVRequest -> ResizeLVResponse",
                        "proto.LVService.CreateLVSnapshot CreateLVSnapshotRequest ->"
                                + " CreateLVSnapshotResponse",
                        "proto.VGService.GetLVList GetLVListRequest -> GetLVListResponse",
                        "proto.VGService.GetFreeBytes GetFreeBytesRequest -> GetFreeBytesResponse",
                        "proto.VGService.Watch Empty -> stream WatchResponse"),
                methods(LvmdProto.getDescriptor()));
        assertEquals(
                List.of(
                        "grpc.health.v1.Health.Check HealthCheckRequest -> HealthCheckResponse",
                        "grpc.health.v1.Health.Watch HealthCheckRequest -> stream"
                                + " HealthCheckResponse"),
                methods(HealthProto.getDescriptor()));
    }

    @Test
    void aRequestHasTheBytesThatGoWrites() throws Exception {
        var request =
                CreateLVRequest.newBuilder()
                        .setName("lv")
                        .addTags("t")
                        .setDeviceClass("dc")
                        .setLvcreateOptionClass("oc")
                        .setSizeBytes(4096)
                        .build();
        var bytes =
                HexFormat.of().parseHex("0a026c76" + "1a0174" + "22026463" + "2a026f63" + "308020");
        assertArrayEquals(bytes, request.toByteArray());
        assertEquals(request, CreateLVRequest.parseFrom(bytes));
    }
}
