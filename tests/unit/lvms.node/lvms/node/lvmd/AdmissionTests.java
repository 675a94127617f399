package lvms.node.lvmd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.erasure.Marks;
import lvms.node.volume.NewVolume;
import lvms.proto.lvmd.CreateLVRequest;
import lvms.tests.runner.Safety;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a request of lvmd asks for. */
class AdmissionTests {
    /** A caller does not say whether a pod will read the volume as a raw device. */
    @Safety(17)
    @ParameterizedTest(name = "{0}")
    @CsvSource({"NONE, false", "BLOCK, true", "ALL, true"})
    void aVolumeIsZeroedIfAnyVolumeMayBeARawDevice(ZeroVolumes which, boolean zeroed)
            throws Exception {
        var deviceClass =
                new NodeDeviceClass(
                                "a",
                                "vg",
                                true,
                                new Provisioning.Thick(),
                                0,
                                Optional.empty(),
                                List.of(),
                                Optional.empty())
                        .withErasure(new ErasurePolicy(which, OnRemoval.NONE, 1));
        var request = CreateLVRequest.newBuilder().setName("v").setSizeBytes(4096).build();
        var classes = new DeviceClasses(List.of(deviceClass), Map.of());
        var wanted = (NewVolume.Thick) Admission.wanted(request, deviceClass, classes);
        assertEquals(zeroed ? Set.of(Marks.UNERASED) : Set.of(), wanted.request().tags());
    }
}
