package lvms.node.proof;

import lvms.api.nativestor.DeviceTenancy;
import lvms.lvm2.label.DeviceData;

import java.util.Optional;

/**
 * What is known of a raw device that a volume had and that is about to be erased.
 *
 * @param placeOnly whether nothing but the place where it is plugged in identifies it
 * @param had the device when a volume got it; empty if nobody has noted that
 * @param now the device that is there
 * @param left digest of its start when the volume gave it back; empty if nobody has noted that
 * @param start its start now
 * @param confirmed what a person has said may be erased, as {@link DeviceTenancy#text} has it
 */
public record RawDeviceErasure(
        boolean placeOnly,
        Optional<DeviceTenancy> had,
        DeviceTenancy now,
        Optional<String> left,
        DeviceData.Start start,
        Optional<String> confirmed) {}
